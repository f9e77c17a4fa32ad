import { CloudFormation, type Stack } from '@aws-sdk/client-cloudformation';
import { getDefaultRoleAssumer, STS } from '@aws-sdk/client-sts';
import {
  type CloudFormationStackArtifact,
  EnvironmentPlaceholders,
  UNKNOWN_ACCOUNT,
  UNKNOWN_REGION,
} from 'aws-cdk-lib/cx-api';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { CliError } from '../cli/cli-error.ts';
import { clientSettings } from '../stage/client-settings.ts';
import { describeStack, notDeployed } from '../stage/stack.ts';
import type { Template } from './losses.ts';

/** The stack to which a stage of an assembly would be deployed. */
export interface Target {
  stackName: string;
  stack: Stack;
  /** The template that is deployed. */
  before: Template;
  /** The template of the assembly. */
  after: Template;
}

interface TargetProps {
  stageName: string;
  /** The directory of the cloud assembly. */
  assembly: string;
  /** What follows `npx cdk deploy 'prod/*'`, such as ` --app cdk.out`. */
  cdkOptions: string;
}

/**
 * Finds the stack that the CDK would update. Throws a CliError if the stage is not deployed yet, or
 * belongs to an account that these credentials do not reach.
 */
export const findTarget = async (props: TargetProps): Promise<Target> => {
  const { stageName, assembly, cdkOptions } = props;
  const artifact = stageStack(assembly, stageName);
  const { stackName, template: after } = artifact;
  const client = await readingClient(stageName, artifact);
  const stack = await describeStack(client, stackName);
  if (!stack) {
    throw notDeployed({ stageName, region: await client.config.region(), cdkOptions });
  }
  const { TemplateBody = '{}' } = await client.getTemplate({
    StackName: stackName,
    TemplateStage: 'Original',
  });
  return { stackName, stack, before: JSON.parse(TemplateBody), after };
};

/** Returns a client for the account and region to which the CDK would deploy. */
const readingClient = async (
  stageName: string,
  artifact: CloudFormationStackArtifact,
): Promise<CloudFormation> => {
  const { environment } = artifact;
  const region =
    environment.region === UNKNOWN_REGION
      ? // The CDK reads either variable, but the SDK only the first.
        process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION
      : environment.region;
  const settings = { ...clientSettings, ...(region && { region }) };
  const sts = new STS(settings);
  const { Account: ownAccount = '', Arn = '' } = await sts.getCallerIdentity();
  const accountId = environment.account === UNKNOWN_ACCOUNT ? ownAccount : environment.account;

  const place = { accountId, region: await sts.config.region(), partition: partitionOf(Arn) };
  const RoleArn = EnvironmentPlaceholders.replace(artifact.lookupRole?.arn, place);
  // The bootstrap made this role for reading, so that whoever deploys needs no other permission.
  const credentials = await getDefaultRoleAssumer(settings)(await sts.config.credentials(), {
    RoleArn,
    RoleSessionName: 'petstore-release',
  }).catch(() => undefined);
  if (!credentials && accountId !== ownAccount) {
    const message = `${stageName} belongs to account ${accountId}, but these credentials are for`;
    throw new CliError('unavailable', `${message} ${ownAccount}.`, { hint: 'Set AWS_PROFILE.' });
  }
  return new CloudFormation({ ...settings, ...(credentials && { credentials }) });
};

/** Returns `aws`, or what stands for it in regions apart, such as `aws-cn`. */
const partitionOf = (arn: string): string => arn.split(':')[1] ?? 'aws';
