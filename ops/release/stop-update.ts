import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { toCliError } from '../cli/to-cli-error.ts';
import { clientSettings } from '../stage/client-settings.ts';
import {
  runningShifts,
  stopShift,
  type TrafficShift,
  type WatchedStack,
} from './traffic-shifts.ts';

/** How often the stack is looked at while CloudFormation still updates it. */
const looks = 60;

/** After so many looks, the stack should be rolling back because its traffic was stopped. */
const looksUntilRollback = 12;

/** Returns CloudFormation's status of a stack. */
export const statusOf = async ({ stackName, reader }: WatchedStack): Promise<string> => {
  const { Stacks } = await new CloudFormation(reader).describeStacks({ StackName: stackName });
  return Stacks?.[0]?.StackStatus ?? '';
};

interface StopProps {
  /** Ends cdk, and waits for its end. */
  endDeploy: () => Promise<void>;
  /** Prints a line. */
  tell: (line: string) => void;
  /** Milliseconds from one look at the stack to the next. */
  every?: number;
}

/**
 * Stops the update of a stack, and waits until CloudFormation rolls it back. Says which commands do
 * that, if these credentials may not.
 */
export const stopUpdate = async (
  stack: WatchedStack,
  { endDeploy, tell, every = 5_000 }: StopProps,
): Promise<void> => {
  const stopped: TrafficShift[] = [];
  let shifts: TrafficShift[] = [];
  try {
    // Before CloudFormation has begun, there is only cdk to stop.
    if (!(await statusOf(stack)).endsWith('_IN_PROGRESS')) {
      await endDeploy();
    }
    for (let look = 0; look < looks && (await isUpdating(stack)); look += 1) {
      shifts = await runningShifts(stack);
      await stopOnce(stack, { shifts, stopped, look });
      await sleep(every);
    }
  } catch (error) {
    tell(commandsToStop(stack, shifts, error));
  }
};

const isUpdating = async (stack: WatchedStack): Promise<boolean> =>
  (await statusOf(stack)) === 'UPDATE_IN_PROGRESS';

interface Look {
  shifts: TrafficShift[];
  /** Shifts that were stopped before. Is added to. */
  stopped: TrafficShift[];
  look: number;
}

/**
 * Stops the shifts of traffic. A stopped one fails its alias, so CloudFormation rolls the stack
 * back. To cancel the update meanwhile would make its rollback collide with CodeDeploy's: so this
 * does it only if no traffic shifts, or if the stack does not roll back by itself.
 */
const stopOnce = async (stack: WatchedStack, { shifts, stopped, look }: Look): Promise<void> => {
  for (const shift of shifts) {
    // A second one in the group is CodeDeploy's own, which shifts the traffic back.
    if (!stopped.some(({ group }) => group === shift.group)) {
      await stopShift(stack, shift);
      stopped.push(shift);
    }
  }
  if (stopped.length === 0 || look >= looksUntilRollback) {
    await cancelUpdate(stack);
  }
};

const cancelUpdate = async ({ stackName, reader: { region } }: WatchedStack): Promise<void> => {
  // The operator's own credentials, because those for reading may not cancel anything.
  const cloudFormation = new CloudFormation({ ...clientSettings, region });
  await cloudFormation.cancelUpdateStack({ StackName: stackName }).catch((error) => {
    // The update has ended, or is being rolled back already.
    if (error.name !== 'ValidationError') {
      throw error;
    }
  });
};

/** Says why the update was not stopped, and which commands stop it. */
const commandsToStop = (
  { stackName, reader: { region } }: WatchedStack,
  shifts: TrafficShift[],
  error: unknown,
): string => {
  const stopShifts = shifts.map(
    ({ deploymentId }) =>
      `aws deploy stop-deployment --region ${region} --deployment-id ${deploymentId} ` +
      '--auto-rollback-enabled',
  );
  const options = `--region ${region} --stack-name ${stackName}`;
  const cancel = `aws cloudformation cancel-update-stack ${options}`;
  return [
    `The deployment goes on: ${toCliError(error).message}`,
    'Stop it now, with the permissions in docs/permissions.md#to-release-prod:',
    ...(stopShifts.length > 0 ? stopShifts : [cancel]),
  ].join('\n');
};
