import { fullDiff, type ResourceDifference, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { DeployedStack } from './deployed-stack.ts';
import { type Finding, findingOf } from './finding.ts';

/** What holds data or is what clients call: losing one cannot be undone by the next deployment. */
const irreplaceable = /^AWS::(DynamoDB::(Global)?Table|ApiGateway::(RestApi|Stage|DomainName))$/;

/** What every deployment of changed code replaces. */
const routine = /^AWS::(ApiGateway::Deployment|Lambda::Version|CloudWatch::Alarm)$/;

const verbs: Partial<Record<ResourceImpact, string>> = {
  [ResourceImpact.WILL_REPLACE]: 'replaces',
  [ResourceImpact.MAY_REPLACE]: 'may replace',
  [ResourceImpact.WILL_DESTROY]: 'deletes',
  [ResourceImpact.WILL_ORPHAN]: 'abandons',
};

interface Loss {
  type: string;
  text: string;
}

const lossesOf = (deployed: object, synthesized: object): { changed: number; losses: Loss[] } => {
  const differences: [string, ResourceDifference][] = [];
  fullDiff(deployed, synthesized).resources.forEachDifference((id, difference) => differences.push([id, difference]));
  const losses = differences.flatMap(([id, difference]) => {
    const verb = verbs[difference.changeImpact];
    const type = difference.oldResourceType ?? '';
    return verb ? [{ type, text: `${verb} ${id} (${type})` }] : [];
  });
  return { changed: differences.length, losses };
};

/** A command of the CDK for the stage, ready to be pasted. */
export type CdkCommand = (command: string) => string;

const remedyOf = (status: string, cdk: CdkCommand): string => {
  if (status.endsWith('_IN_PROGRESS')) {
    return 'Wait until that is done.';
  }
  return status.startsWith('UPDATE_') ? `Roll it back: ${cdk('rollback')}` : 'Repair it in the CloudFormation console.';
};

/** What a deployment would replace or delete. The loss of a table or of the API stops it. */
export const checkChanges = async (
  reading: Promise<DeployedStack | undefined>,
  { stackName, template }: CloudFormationStackArtifact,
  cdk: CdkCommand,
): Promise<Finding[]> => {
  const finding = findingOf('changes');
  const deployed = await reading;
  // A failure then leaves the stack as it is, to be gone on with. A rollback would leave its tables to no stack.
  const firstDeployment = cdk('deploy --no-rollback');
  if (!deployed) {
    return [finding('ok', `${stackName} is not deployed yet; all of it is new. First deployment: ${firstDeployment}`)];
  }
  const { status } = deployed;
  const isUnfinished = status === 'CREATE_FAILED';
  if (!isUnfinished && !status.endsWith('_COMPLETE')) {
    return [finding('stop', `${stackName} is ${status}. ${remedyOf(status, cdk)}`)];
  }
  const { changed, losses } = lossesOf(deployed.template, template);
  const findings = losses.flatMap(({ type, text }): Finding[] => {
    const outcome = irreplaceable.test(type) ? 'stop' : 'warning';
    return routine.test(type) ? [] : [finding(outcome, `The deployment ${text}.`)];
  });
  if (isUnfinished) {
    const message = `The first deployment of ${stackName} failed half-way (${status}). Continue: ${firstDeployment}`;
    return [...findings, finding('ok', message)];
  }
  const message =
    changed === 0
      ? `${stackName} is up to date: no changes.`
      : `${changed} of the resources of ${stackName} change; nothing but old versions is lost.`;
  return findings.length > 0 ? findings : [finding('ok', message)];
};
