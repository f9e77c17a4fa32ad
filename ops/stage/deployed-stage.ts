import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudFormation, type Stack } from '@aws-sdk/client-cloudformation';
import { CliError } from '../cli/errors.ts';
import { clientSettings, dynamodb } from './client-settings.ts';
import type { Stage } from './stage.ts';

const howToDeploy = 'docs/deploy.md says what to do, by the status of the stack.';

/**
 * Finds a deployed stage with the credentials, profile and region that every AWS tool takes from
 * its environment.
 */
export const deployedStage = async (stageName: string): Promise<Stage> => {
  const cloudFormation = new CloudFormation(clientSettings);
  const StackName = `${stageName}-petstore-inventory`;
  const stack = await describe(cloudFormation, StackName);
  if (stack === undefined) {
    const region = await cloudFormation.config.region();
    throw new CliError(
      `${region} has no stack ${StackName} in the account of these credentials.\n` +
        'Set AWS_REGION or AWS_PROFILE if it is elsewhere, or deploy it (docs/deploy.md).',
    );
  }
  const output = (name: string): string => {
    const found = stack.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (found === undefined) {
      const message = `${StackName} has no output ${name}; it is ${stack.StackStatus}.`;
      throw new CliError(`${message} ${howToDeploy}`);
    }
    return found;
  };
  const [, , , region, account] = (stack.StackId ?? '').split(':');
  return {
    stageName,
    description: `${stageName} in account ${account}, ${region}`,
    isProduction: stageName === 'prod',
    inventory: { client: dynamodb(), TableName: output('InventoryTableName') },
    apiKeys: { client: dynamodb(), TableName: output('ApiKeysTableName') },
    restApi: { client: new APIGateway(clientSettings), restApiId: output('RestApiId') },
  };
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
