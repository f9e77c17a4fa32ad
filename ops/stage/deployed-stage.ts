import { CloudFormation, type Stack } from '@aws-sdk/client-cloudformation';
import { CliError } from '../cli/errors.ts';
import { deployedSettings, dynamodb } from './client-settings.ts';
import type { Stage } from './stage.ts';

/**
 * Finds a deployed stage with the credentials, profile and region that every AWS tool takes from
 * its environment.
 */
export const deployedStage = async (stageName: string): Promise<Stage> => {
  const cloudFormation = new CloudFormation(deployedSettings());
  const name = `${stageName}-petstore-inventory`;
  const { StackId = '', StackStatus, Outputs = [] } = await findStack(cloudFormation, name);
  const output = (key: string): string => {
    const value = Outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
    if (value === undefined) {
      throw new CliError(
        `${name} has no output ${key}; its status is ${StackStatus}. ` +
          'docs/deploy.md#when-a-deployment-fails says what to do.',
      );
    }
    return value;
  };
  const [, , , region, account] = StackId.split(':');
  const client = dynamodb(deployedSettings());
  return {
    stageName,
    description: `${stageName} in account ${account}, ${region}`,
    isProduction: stageName === 'prod',
    inventory: { client, TableName: output('InventoryTableName') },
    apiKeys: { client, TableName: output('ApiKeysTableName') },
  };
};

const findStack = async (client: CloudFormation, StackName: string): Promise<Stack> => {
  const { Stacks = [] } = await client.describeStacks({ StackName }).catch((error: Error) => {
    if (error.message.includes('does not exist')) {
      return { Stacks: [] };
    }
    throw error;
  });
  const [stack] = Stacks;
  if (stack === undefined) {
    throw new CliError(
      `There is no stack ${StackName} in ${await client.config.region()} in this account.\n` +
        'If it is elsewhere, set AWS_REGION or AWS_PROFILE; otherwise deploy it (docs/deploy.md).',
    );
  }
  return stack;
};
