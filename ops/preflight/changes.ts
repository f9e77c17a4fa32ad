import { fullDiff, type ResourceDifference, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import type { Target } from './account.ts';
import type { SynthesizedStack } from './assembly.ts';
import type { Finding } from './finding.ts';

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

const findDeployed = async (client: CloudFormationClient, StackName: string) => {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return stack?.StackStatus;
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) {
      return undefined;
    }
    throw error;
  }
};

/** What a deployment would replace or delete. The loss of a table or of the API stops it. */
export const checkChanges = async (target: Target, { stackName, template }: SynthesizedStack): Promise<Finding[]> => {
  const check = 'changes';
  const client = new CloudFormationClient(target.client);
  const status = await findDeployed(client, stackName);
  if (status === undefined || /^(REVIEW_IN_PROGRESS|DELETE_COMPLETE|ROLLBACK_COMPLETE)$/.test(status)) {
    return [{ check, outcome: 'ok', message: `${stackName} is not deployed yet; all of it is new.` }];
  }
  if (!status.endsWith('_COMPLETE') || status.endsWith('_CLEANUP_IN_PROGRESS')) {
    const message = `${stackName} is ${status}. Wait until it is done, or repair it in the CloudFormation console.`;
    return [{ check, outcome: 'stop', message }];
  }
  const { TemplateBody = '' } = await client.send(
    new GetTemplateCommand({ StackName: stackName, TemplateStage: 'Original' }),
  );
  const { changed, losses } = lossesOf(JSON.parse(TemplateBody), template);
  const findings = losses.flatMap(({ type, text }): Finding[] => {
    const outcome = irreplaceable.test(type) ? 'stop' : 'warning';
    return routine.test(type) ? [] : [{ check, outcome, message: `The deployment ${text}.` }];
  });
  const message = `${changed} of the resources of ${stackName} change; none but old versions would be lost.`;
  return findings.length > 0 ? findings : [{ check, outcome: 'ok', message }];
};
