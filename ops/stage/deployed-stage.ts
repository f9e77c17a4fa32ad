import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudFormation, type Stack } from '@aws-sdk/client-cloudformation';
import { CliError } from '../cli/errors.ts';
import { deployedSettings, dynamodb } from './client-settings.ts';
import { type AskForCode, credentialSettings, requireCredentials } from './credentials.ts';
import type { Stage } from './stage.ts';

/** The statuses that a stack reads which does not say so. */
const ofSpecification = 'available pending sold';

/**
 * Finds a deployed stage with the credentials, profile and region that every AWS tool takes from
 * its environment.
 */
export const deployedStage = async (stageName: string, askForCode: AskForCode): Promise<Stage> => {
  const { cloudFormation, name, id, status, outputs } = await findStack(stageName, askForCode);
  const output = (key: string): string => {
    const value = outputs[key];
    if (value === undefined) {
      throw new CliError(
        `${name} has no output ${key}; its status is ${status}. ` +
          'docs/deploy.md#when-a-deployment-fails says what to do.',
      );
    }
    return value;
  };
  const [, , , region, account] = id.split(':');
  // A code for MFA is good for one time only, so all clients share what it gave.
  const { credentials } = cloudFormation.config;
  const settings = { ...(await deployedSettings()), credentials };
  return {
    stageName,
    description: `${stageName} in account ${account}, ${region}`,
    isProduction: stageName === 'prod',
    statuses: (outputs.Statuses ?? ofSpecification).split(' '),
    inventory: { client: dynamodb(settings), TableName: output('InventoryTableName') },
    apiKeys: { client: dynamodb(settings), TableName: output('ApiKeysTableName') },
    restApi: { client: new APIGateway(settings), restApiId: output('RestApiId') },
  };
};

export type DeployedStack = Awaited<ReturnType<typeof findStack>>;

/** Finds the stack of a stage. */
export const findStack = async (stageName: string, askForCode: AskForCode) => {
  const { said, settings } = credentialSettings(askForCode);
  const cloudFormation = new CloudFormation({ ...(await deployedSettings()), ...settings });
  await requireCredentials(cloudFormation, said);
  const name = `${stageName}-petstore-inventory`;
  const stack = await describe(cloudFormation, name);
  if (stack === undefined) {
    const region = await cloudFormation.config.region();
    throw new CliError(
      `There is no stack ${name} in ${region} in this account.\n` +
        'If it is elsewhere, set AWS_REGION or AWS_PROFILE; otherwise deploy it (docs/deploy.md).',
    );
  }
  const { StackId: id = '', StackStatus: status, Outputs = [] } = stack;
  const outputs: Record<string, string | undefined> = Object.fromEntries(
    Outputs.map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]),
  );
  return { cloudFormation, name, id, status, outputs };
};

const describe = async (client: CloudFormation, StackName: string): Promise<Stack | undefined> => {
  try {
    return (await client.describeStacks({ StackName })).Stacks?.[0];
  } catch (error) {
    if ((error as Error).message.includes('does not exist')) {
      return undefined;
    }
    throw error;
  }
};
