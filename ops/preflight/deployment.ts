import { CloudFormation, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { type Account, findAccount } from './account.ts';
import type { Report } from './finding.ts';

export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

export const resourcesOf = ({ Resources }: Template, type: string): [string, Record<string, unknown>][] =>
  Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => (Type === type ? [[id, Properties]] : []));

/** What is to be deployed, and where. */
export type Deployment = NonNullable<Awaited<ReturnType<typeof findDeployment>>>;

/** Looks at one thing before a deployment, and reports what it finds. */
export type Check = (deployment: Deployment, report: Report) => Promise<void>;

/** The next deployment of such a stack is its first: the CDK deletes what is there of it. */
const notDeployed = /^(REVIEW_IN_PROGRESS|DELETE_COMPLETE|ROLLBACK_COMPLETE|ROLLBACK_FAILED)$/;

/** The stack of this name, or nothing if the next deployment is its first. */
const deployedStack = async (account: Account, StackName: string) => {
  const client = new CloudFormation(account.client);
  const { Stacks: [stack] = [] } = await client
    .describeStacks({ StackName })
    .catch((error: Error) => (error.message.includes('does not exist') ? { Stacks: [] } : Promise.reject(error)));
  if (!stack?.StackStatus || notDeployed.test(stack.StackStatus)) {
    return undefined;
  }
  const { TemplateBody = '' } = await client.getTemplate({ StackName, TemplateStage: 'Original' });
  const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName }));
  const resources = pages.flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
  return {
    /** Of CloudFormation, such as UPDATE_COMPLETE. */
    status: stack.StackStatus,
    template: JSON.parse(TemplateBody) as Template,
    baseUrl: stack.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '',
    /** Physical ids by logical id. */
    resources: new Map(resources.map((each) => [each.LogicalResourceId, each.PhysicalResourceId])),
  };
};

/**
 * Finds what a stage would be deployed from and to, as far as there is an account.
 * @param app the option that names the assembly, as the operator gave it
 */
export const findDeployment = async (stageName: string, assembly: string, app: string, report: Report) => {
  const stack = stageStack(assembly, stageName);
  const account = await findAccount(stack, report);
  /** Makes a command of the CDK for the stage, ready to be pasted. */
  const cdk = (command: string): string => `npx cdk ${command} '${stageName}/*'${app}`;
  return account && { ...account, stageName, stack, cdk, deployed: deployedStack(account, stack.stackName) };
};
