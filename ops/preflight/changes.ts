import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { type Check, type Deployment, isRolledBack } from './deployment.ts';
import type { Report } from './finding.ts';
import { firstDeployment, unprotectCommand } from './first-deployment.ts';
import type { Template } from './template.ts';

/** Reports what a deployment would replace or delete, or why it cannot begin. */
export const checkChanges: Check = async (deployment, report) => {
  const deployed = await deployment.deployed;
  if (!deployed) {
    await reportFirst(deployment, report);
    return;
  }
  const { stackName, template } = deployment.stack;
  const { status } = deployed;
  const obstacle = obstacleTo(deployment, status);
  if (obstacle !== undefined) {
    report('stop', `${stackName} is ${status}. ${obstacle}`);
    return;
  }
  const { changed, lost } = reportLosses(deployed.template, template, report);
  if (status === 'CREATE_FAILED') {
    const failed = `The first deployment of ${stackName} failed halfway (${status}).`;
    report('ok', `${failed} Continue: ${firstDeployment(deployment)}`);
  } else if (changed === 0) {
    report('ok', `${stackName} is up to date: no changes.`);
  } else if (lost === 0) {
    const what = `${changed} resources of ${stackName} change`;
    report('ok', `${what}; only old versions are replaced or deleted.`);
  }
};

/** Reports a first deployment, which may come after one that failed and was rolled back. */
const reportFirst = async (deployment: Deployment, report: Report): Promise<void> => {
  const { stackName } = deployment.stack;
  const { StackStatus: status } = (await deployment.described) ?? {};
  const command = firstDeployment(deployment);
  if (!isRolledBack(status)) {
    const message = `${stackName} is not deployed yet; all of it is new.`;
    report('ok', `${message} First deployment: ${command}`);
    return;
  }
  const failed = `The first deployment of ${stackName} failed and was rolled back (${status}).`;
  const tables =
    'Tables that it left behind stay in the account, and are not used again: leftover tables, ' +
    'below, has the commands that delete them.';
  const unprotect = await unprotectCommand(deployment);
  if (unprotect === undefined) {
    const anew = 'The next one deletes what is left of the stack, and makes it anew.';
    report('ok', `${failed} ${anew} ${tables} First deployment: ${command}`);
    return;
  }
  const inTheWay = "The stack's protection keeps the next one from making it anew.";
  report('stop', `${failed} ${inTheWay} ${tables} Take it off and repeat: ${unprotect}`);
};

/** Says what must happen before a stack can be updated: undefined if nothing must. */
const obstacleTo = ({ cdk }: Deployment, status: string): string | undefined => {
  if (status.endsWith('_IN_PROGRESS')) {
    return 'Wait until it has finished.';
  }
  if (status === 'CREATE_FAILED' || status.endsWith('_COMPLETE')) {
    return undefined;
  }
  const isUpdate = status.startsWith('UPDATE_');
  return isUpdate ? `Roll it back: ${cdk('rollback')}` : 'Repair it in the CloudFormation console.';
};

/**
 * Types that hold data or that clients call. The next deployment cannot undo the loss of such a
 * resource.
 */
const irreplaceable = /^AWS::(DynamoDB::(Global)?Table|ApiGateway::(RestApi|Stage|DomainName))$/;

/** Types of resources that every deployment of changed code replaces. */
const routine = /^AWS::(ApiGateway::Deployment|Lambda::Version)$/;

/** The ID of an alarm of one version of a function ends with the hash of that version. */
const alarmOfVersion = /[0-9A-F]{8}[0-9a-f]{8}$/;

const isRoutine = (logicalId: string, type: string): boolean =>
  routine.test(type) || (type === 'AWS::CloudWatch::Alarm' && alarmOfVersion.test(logicalId));

/** What to say about a resource that is lost, by how the deployment loses it. */
const losses: Partial<Record<ResourceImpact, (resource: string) => string>> = {
  [ResourceImpact.WILL_REPLACE]: (resource) => `replaces ${resource}`,
  [ResourceImpact.MAY_REPLACE]: (resource) => `may replace ${resource}`,
  [ResourceImpact.WILL_DESTROY]: (resource) => `deletes ${resource}`,
  [ResourceImpact.WILL_ORPHAN]: (resource) => `removes ${resource} from the stack; AWS keeps it`,
};

/** Reports each resource that is lost. The loss of an irreplaceable one is a stop. */
const reportLosses = (before: Template, after: Template, report: Report) => {
  const { resources } = fullDiff(before, after);
  let lost = 0;
  resources.forEachDifference((logicalId, { changeImpact, oldResourceType: type = '' }) => {
    const describe = losses[changeImpact];
    if (describe && !isRoutine(logicalId, type)) {
      lost += 1;
      const outcome = irreplaceable.test(type) ? 'stop' : 'warning';
      report(outcome, `The deployment ${describe(`${logicalId} (${type})`)}.`);
    }
  });
  return { changed: resources.differenceCount, lost };
};
