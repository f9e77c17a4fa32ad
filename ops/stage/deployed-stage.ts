import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudFormation, type Stack } from '@aws-sdk/client-cloudformation';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { STS } from '@aws-sdk/client-sts';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import { clientSettings, inventoryClient } from './client-settings.ts';
import type { Stage } from './stage.ts';

/** A stage, and where the operator's credentials look for it. */
interface Whereabouts {
  stageName: string;
  /** The account and the region. */
  environment: string;
}

/**
 * Finds a deployed stage with the credentials, profile and region that every AWS tool takes from
 * its environment.
 */
export const deployedStage = async (stageName: string): Promise<Stage> => {
  const cloudFormation = new CloudFormation(clientSettings);
  const region = await cloudFormation.config.region();
  const { Account } = await new STS(clientSettings).getCallerIdentity();
  const whereabouts = { stageName, environment: `account ${Account}, ${region}` };

  const stack = await findStack(cloudFormation, whereabouts);
  const output = (name: string): string => outputOf(stack, name, whereabouts);
  return {
    stageName,
    title: stageName,
    description: `${stageName} in ${whereabouts.environment}`,
    options: `--stage ${stageName}`,
    isProduction: stageName === 'prod',
    inventory: { client: await inventoryClient(), TableName: output('InventoryTableName') },
    apiKeys: { client: new DynamoDB(clientSettings), TableName: output('ApiKeysTableName') },
    restApi: { client: new APIGateway(clientSettings), restApiId: output('RestApiId') },
    enforcesReadOnlyKeys: storedOutput(stack, 'ReadOnlyKeys') === 'enforced',
  };
};

const findStack = async (
  cloudFormation: CloudFormation,
  { stageName, environment }: Whereabouts,
): Promise<Stack | undefined> => {
  const StackName = `${stageName}-petstore-inventory`;
  try {
    const { Stacks } = await cloudFormation.describeStacks({ StackName });
    return Stacks?.[0];
  } catch (error) {
    if (!(error as Error).message.includes('does not exist')) {
      throw error;
    }
    const deploy = `npx cdk deploy --no-rollback '${stageName}/*'`;
    const reason = `there is no stack ${StackName}`;
    const message = `${stageName} is not deployed in ${environment}: ${reason}.`;
    throw new CliError('unavailable', message, {
      hint: `Set AWS_REGION or AWS_PROFILE if it is elsewhere, or deploy it: ${deploy}`,
    });
  }
};

const outputOf = (
  stack: Stack | undefined,
  name: string,
  { stageName, environment }: Whereabouts,
): string => {
  const found = storedOutput(stack, name);
  if (found !== undefined) {
    return found;
  }
  const status = stack?.StackStatus ?? 'without a status';
  const message = `The stack of ${stageName} in ${environment} has no output ${name}`;
  if (isServing(status)) {
    throw new CliError('unavailable', `${message}: it was deployed from an older version.`, {
      hint: `Deploy this one: npx cdk deploy '${stageName}/*'`,
    });
  }
  // Not a command of the CDK: which of them helps depends on the status and on what still exists.
  throw new CliError('unavailable', `${message}: it is ${status}.`, {
    hint: `See what to do: ${npxPetstore} preflight --stage ${stageName}`,
  });
};

const storedOutput = (stack: Stack | undefined, name: string): string | undefined =>
  stack?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;

/** Whether a stack serves requests. In ROLLBACK_COMPLETE, its first deployment has failed. */
const isServing = (status: string): boolean =>
  status.endsWith('_COMPLETE') && status !== 'ROLLBACK_COMPLETE' && status !== 'DELETE_COMPLETE';
