import { CloudFormation, type Stack } from '@aws-sdk/client-cloudformation';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { type Account, findAccount } from './account.ts';
import type { Report } from './finding.ts';
import { physicalIds } from './physical-ids.ts';
import type { Template } from './template.ts';

/** What is to be deployed, and where. */
export type Deployment = NonNullable<Awaited<ReturnType<typeof findDeployment>>>;

/** What is deployed already. */
export type Deployed = NonNullable<Awaited<Deployment['deployed']>>;

/** Looks at one thing before a deployment, and reports what it finds. */
export type Check = (deployment: Deployment, report: Report) => Promise<void>;

interface DeploymentProps {
  stageName: string;
  /** The directory of the cloud assembly. */
  assembly: string;
  /** The option that names the assembly, as the operator gave it; '' without one. */
  assemblyOption: string;
  report: Report;
}

/** Finds what would be deployed for a stage, and where: undefined if no account can be used. */
export const findDeployment = async (props: DeploymentProps) => {
  const { stageName, assembly, assemblyOption, report } = props;
  const stack = stageStack(assembly, stageName);
  const account = await findAccount({ stageName, stack, report });
  if (!account) {
    return undefined;
  }
  const described = describeStack(account, stack.stackName);
  return {
    ...account,
    stageName,
    stack,
    /** Returns a cdk command for the stage that operators can paste. */
    cdk: (command: string): string => `npx cdk ${command} '${stageName}/*'${assemblyOption}`,
    /** What CloudFormation says about the stack: undefined if it knows none. */
    described,
    /** What is deployed: undefined if the next deployment is the first. */
    deployed: findDeployed(account, described),
  };
};

const describeStack = async (account: Account, StackName: string): Promise<Stack | undefined> => {
  try {
    const { Stacks = [] } = await new CloudFormation(account.client).describeStacks({ StackName });
    return Stacks[0];
  } catch (error) {
    if ((error as Error).message.includes('does not exist')) {
      return undefined;
    }
    throw error;
  }
};

/** Whether the first deployment of a stack failed and was undone. The CDK begins it anew. */
export const isRolledBack = (status: string | undefined): boolean =>
  status === 'ROLLBACK_COMPLETE' || status === 'ROLLBACK_FAILED';

const isDeployed = (status: string | undefined): boolean => {
  const isNothing = status === 'REVIEW_IN_PROGRESS' || status === 'DELETE_COMPLETE';
  return Boolean(status) && !isNothing && !isRolledBack(status);
};

const findDeployed = async (account: Account, described: Promise<Stack | undefined>) => {
  const { StackName, StackStatus: status = '', Outputs = [] } = (await described) ?? {};
  if (!isDeployed(status)) {
    return undefined;
  }
  const client = new CloudFormation(account.client);
  const { TemplateBody = '' } = await client.getTemplate({ StackName, TemplateStage: 'Original' });
  return {
    /** CloudFormation's status of the stack, such as UPDATE_COMPLETE. */
    status,
    template: JSON.parse(TemplateBody) as Template,
    baseUrl: Outputs.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '',
    /** Physical ids by logical id. */
    resources: await physicalIds(client, StackName),
  };
};
