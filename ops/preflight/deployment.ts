import { CloudFormation, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { type Account, findAccount } from './account.ts';
import type { Report } from './finding.ts';

export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

export const resourcesOf = (
  { Resources }: Template,
  type: string,
): [string, Record<string, unknown>][] =>
  Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) =>
    Type === type ? [[id, Properties]] : [],
  );

/** What is to be deployed, and where. */
export type Deployment = NonNullable<Awaited<ReturnType<typeof findDeployment>>>;

/** Looks at one thing before a deployment, and reports what it finds. */
export type Check = (deployment: Deployment, report: Report) => Promise<void>;

/**
 * Statuses of a stack that counts as not deployed: the CDK deletes what exists of it, and deploys
 * it anew.
 */
const notDeployed = /^(REVIEW_IN_PROGRESS|DELETE_COMPLETE|ROLLBACK_COMPLETE|ROLLBACK_FAILED)$/;

/** Returns the deployed stack of this name, or undefined if its next deployment is the first. */
const deployedStack = async (account: Account, StackName: string) => {
  const client = new CloudFormation(account.client);
  const { Stacks: [stack] = [] } = await client
    .describeStacks({ StackName })
    .catch((error: Error) =>
      error.message.includes('does not exist') ? { Stacks: [] } : Promise.reject(error),
    );
  if (!stack?.StackStatus || notDeployed.test(stack.StackStatus)) {
    return undefined;
  }
  const { TemplateBody = '' } = await client.getTemplate({ StackName, TemplateStage: 'Original' });
  const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName }));
  const resources = pages.flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
  return {
    /** CloudFormation's status of the stack, such as UPDATE_COMPLETE. */
    status: stack.StackStatus,
    template: JSON.parse(TemplateBody) as Template,
    baseUrl: stack.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '',
    /** Physical ids by logical id. */
    resources: new Map(resources.map((each) => [each.LogicalResourceId, each.PhysicalResourceId])),
  };
};

/**
 * Finds what would be deployed for a stage, and where. Returns undefined if no account can be used.
 * @param app the option that names the assembly, as the operator gave it
 */
export const findDeployment = async (
  stageName: string,
  assembly: string,
  app: string,
  report: Report,
) => {
  const stack = stageStack(assembly, stageName);
  const account = await findAccount(stack, report);
  /** Returns a cdk command for the stage that operators can paste. */
  const cdk = (command: string): string => `npx cdk ${command} '${stageName}/*'${app}`;
  return (
    account && {
      ...account,
      stageName,
      stack,
      cdk,
      deployed: deployedStack(account, stack.stackName),
    }
  );
};
