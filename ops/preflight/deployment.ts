import { CloudFormation, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { CliError } from '../cli/cli-error.ts';
import type { Account } from './account.ts';
import type { Report } from './finding.ts';

export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** The resources of one type, with their logical ids. */
export const resourcesOf = ({ Resources }: Template, type: string): [string, Record<string, unknown>][] =>
  Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => (Type === type ? [[id, Properties]] : []));

/** What is deployed of a stage. */
export interface DeployedStack {
  /** Of CloudFormation, such as UPDATE_COMPLETE. */
  status: string;
  template: Template;
  baseUrl: string;
  /** Physical ids by logical id. */
  resources: Map<string | undefined, string | undefined>;
}

/** What is to be deployed, and where. */
export interface Deployment extends Account {
  stageName: string;
  stack: CloudFormationStackArtifact;
  /** Nothing if this is the first deployment. */
  deployed: Promise<DeployedStack | undefined>;
  /** Makes a command of the CDK for the stage, ready to be pasted. */
  cdk: (command: string) => string;
}

/** Looks at one thing before a deployment, and reports what it finds. */
export type Check = (deployment: Deployment, report: Report) => Promise<void>;

/**
 * The stack of a stage in a cloud assembly.
 * @throws CliError if it is not there
 */
export const synthesizedStack = (assembly: string, stageName: string): CloudFormationStackArtifact => {
  try {
    return stageStack(assembly, stageName);
  } catch (error) {
    throw new CliError('invalid', (error as Error).message);
  }
};

/** The next deployment of such a stack is its first: the CDK deletes what is there of it. */
const notDeployed = /^(REVIEW_IN_PROGRESS|DELETE_COMPLETE|ROLLBACK_COMPLETE|ROLLBACK_FAILED)$/;

/** The stack of this name, or nothing if the next deployment is its first. */
export const deployedStack = async (account: Account, StackName: string): Promise<DeployedStack | undefined> => {
  const client = new CloudFormation(account.client);
  const { Stacks: [stack] = [] } = await client.describeStacks({ StackName }).catch((error: Error) => {
    if (error.message.includes('does not exist')) {
      return { Stacks: [] };
    }
    throw error;
  });
  if (!stack?.StackStatus || notDeployed.test(stack.StackStatus)) {
    return undefined;
  }
  const { TemplateBody = '' } = await client.getTemplate({ StackName, TemplateStage: 'Original' });
  const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName }));
  const resources = pages.flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
  return {
    status: stack.StackStatus,
    template: JSON.parse(TemplateBody),
    baseUrl: stack.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '',
    resources: new Map(resources.map((each) => [each.LogicalResourceId, each.PhysicalResourceId])),
  };
};
