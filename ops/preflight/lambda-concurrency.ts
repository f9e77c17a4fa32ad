import { Lambda } from '@aws-sdk/client-lambda';
import type { Check, Deployment } from './deployment.ts';
import { reservedBy } from './template.ts';

/** The executions that AWS keeps for functions that reserve none. */
const leastUnreserved = 100;

export const askForExecutions = 'ask for more: Service Quotas, Lambda, Concurrent executions.';

/** The executions of an account and region, once the stage is deployed. */
export interface Executions {
  /** How many may run at once. */
  quota: number;
  reservedByStage: number;
  /** Those that no function of the account reserves. */
  unreserved: number;
}

export const readExecutions = async (deployment: Deployment): Promise<Executions> => {
  const { client, stack, deployed } = deployment;
  const { AccountLimit } = await new Lambda(client).getAccountSettings();
  const quota = AccountLimit?.ConcurrentExecutions ?? 0;
  const unreservedNow = AccountLimit?.UnreservedConcurrentExecutions ?? 0;
  const before = await deployed;
  const reservedNow = before ? reservedBy(before.template) : 0;
  const reservedByStage = reservedBy(stack.template);
  return { quota, reservedByStage, unreserved: unreservedNow + reservedNow - reservedByStage };
};

/** Checks that the stage's reservation leaves the executions that AWS requires. */
export const checkReservation: Check = async (deployment, report) => {
  const { quota, reservedByStage, unreserved } = await readExecutions(deployment);
  const most = unreserved + reservedByStage - leastUnreserved;
  const allowed =
    most > 0
      ? `list.reservedConcurrency may be at most ${most}`
      : 'list.reservedConcurrency cannot be set';
  if (reservedByStage > 0 && unreserved < leastUnreserved) {
    report(
      'stop',
      `The stage reserves ${reservedByStage} of the account's ${quota} and would leave ` +
        `${unreserved} unreserved; AWS requires ${leastUnreserved}. So ${allowed}, ` +
        `or ${askForExecutions}`,
    );
    return;
  }
  const left = `${unreserved} of the account's concurrency of ${quota} is unreserved`;
  report('ok', `${left}; AWS keeps ${leastUnreserved} of it, so ${allowed}.`);
};
