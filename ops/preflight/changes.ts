import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import type { Check } from './deployment.ts';

/**
 * Types that hold data or that clients call. The next deployment cannot undo the loss of such a
 * resource.
 */
const irreplaceable = /^AWS::(DynamoDB::(Global)?Table|ApiGateway::(RestApi|Stage|DomainName))$/;

/** Types of resources that every deployment of changed code replaces. */
const routine = /^AWS::(ApiGateway::Deployment|Lambda::Version|CloudWatch::Alarm)$/;

const losses: Partial<Record<ResourceImpact, string>> = {
  [ResourceImpact.WILL_REPLACE]: 'replaces',
  [ResourceImpact.MAY_REPLACE]: 'may replace',
  [ResourceImpact.WILL_DESTROY]: 'deletes',
  [ResourceImpact.WILL_ORPHAN]: 'abandons',
};

/**
 * Reports what a deployment would replace or delete. The loss of an irreplaceable resource is a
 * stop.
 */
export const checkChanges: Check = async (
  { deployed: reading, stack: { stackName, template }, cdk },
  report,
) => {
  const deployed = await reading;
  // Without a rollback, a failed first deployment can be continued. A rollback would leave its
  // tables behind.
  const firstDeployment = cdk('deploy --no-rollback');
  if (!deployed) {
    return report(
      'ok',
      `${stackName} is not deployed yet; all of it is new. First deployment: ${firstDeployment}`,
    );
  }
  const { status } = deployed;
  const isUnfinished = status === 'CREATE_FAILED';
  if (status.endsWith('_IN_PROGRESS')) {
    return report('stop', `${stackName} is ${status}. Wait until it has finished.`);
  }
  if (!isUnfinished && !status.endsWith('_COMPLETE')) {
    const isUpdate = status.startsWith('UPDATE_');
    const remedy = isUpdate
      ? `Roll it back: ${cdk('rollback')}`
      : 'Repair it in the CloudFormation console.';
    return report('stop', `${stackName} is ${status}. ${remedy}`);
  }
  const { resources } = fullDiff(deployed.template, template);
  let lost = 0;
  resources.forEachDifference((id, { changeImpact, oldResourceType: type = '' }) => {
    const loss = losses[changeImpact];
    if (loss && !routine.test(type)) {
      lost += 1;
      report(
        irreplaceable.test(type) ? 'stop' : 'warning',
        `The deployment ${loss} ${id} (${type}).`,
      );
    }
  });
  const changed = resources.differenceCount;
  if (isUnfinished) {
    report(
      'ok',
      `The first deployment of ${stackName} failed halfway (${status}). Continue: ${firstDeployment}`,
    );
  } else if (changed === 0) {
    report('ok', `${stackName} is up to date: no changes.`);
  } else if (lost === 0) {
    report(
      'ok',
      `${changed} resources of ${stackName} change; only old versions are replaced or deleted.`,
    );
  }
};
