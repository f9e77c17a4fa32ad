import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import type { Account } from './account.ts';

export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** What is deployed of a stage. */
export interface DeployedStack {
  /** Of CloudFormation, such as UPDATE_COMPLETE. */
  status: string;
  template: Template;
  /** Physical ids by logical id. */
  resources: Map<string, string>;
}

/** The next deployment of such a stack is its first: the CDK deletes what is there of it. */
const notDeployed = /^(REVIEW_IN_PROGRESS|DELETE_COMPLETE|ROLLBACK_COMPLETE|ROLLBACK_FAILED)$/;

/** The stack of this name, or nothing if the next deployment is its first. */
export const describeStack = async ({ client }: Account, StackName: string): Promise<Stack | undefined> => {
  try {
    const { Stacks } = await new CloudFormationClient(client).send(new DescribeStacksCommand({ StackName }));
    return Stacks?.find(({ StackStatus = '' }) => !notDeployed.test(StackStatus));
  } catch (error) {
    if ((error as Error).message.includes('does not exist')) {
      return undefined;
    }
    throw error;
  }
};

/** The same with all that it holds. */
export const readDeployedStack = async (account: Account, StackName: string): Promise<DeployedStack | undefined> => {
  const { StackStatus: status = '' } = (await describeStack(account, StackName)) ?? {};
  if (status === '') {
    return undefined;
  }
  const client = new CloudFormationClient(account.client);
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName, TemplateStage: 'Original' }));
  const resources = new Map<string, string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const { LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries) {
      resources.set(LogicalResourceId, PhysicalResourceId);
    }
  }
  return { status, template: JSON.parse(TemplateBody), resources };
};

/** The resources of one type, with their logical ids. */
export const resourcesOf = ({ Resources }: Template, type: string): [string, Record<string, unknown>][] =>
  Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => (Type === type ? [[id, Properties]] : []));
