import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudFormation, type Stack } from '@aws-sdk/client-cloudformation';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { CliError } from '../cli/cli-error.ts';
import { clientSettings, inventoryClient } from './client-settings.ts';
import { adviceFor, describeStack, notDeployed, outputOf, placeOf, stackNameOf } from './stack.ts';
import type { Stage } from './stage.ts';

/**
 * Finds a deployed stage with the credentials, profile and region that every AWS tool takes from
 * its environment. Throws a CliError that says what to do unless the stage can be used.
 */
export const deployedStage = async (stageName: string): Promise<Stage> => {
  const cloudFormation = new CloudFormation(clientSettings);
  const stack = await describeStack(cloudFormation, stackNameOf(stageName));
  if (!stack) {
    const region = await cloudFormation.config.region();
    throw notDeployed({ stageName, region });
  }
  const output = (name: string): string => {
    const found = outputOf(stack, name);
    if (found === undefined) {
      throw withoutOutput(name, { stageName, stack });
    }
    return found;
  };
  return {
    stageName,
    title: stageName,
    description: `${stageName} in ${placeOf(stack)}`,
    options: `--stage ${stageName}`,
    isProduction: stageName === 'prod',
    inventory: { client: inventoryClient(), TableName: output('InventoryTableName') },
    apiKeys: { client: new DynamoDB(clientSettings), TableName: output('ApiKeysTableName') },
    restApi: { client: new APIGateway(clientSettings), restApiId: output('RestApiId') },
    enforcesReadOnlyKeys: outputOf(stack, 'ReadOnlyKeys') === 'enforced',
  };
};

const withoutOutput = (name: string, found: { stageName: string; stack: Stack }): CliError => {
  const { stageName, stack } = found;
  const message = `The stack of ${stageName} in ${placeOf(stack)} has no output ${name}`;
  const advice = adviceFor(found);
  return advice === undefined
    ? new CliError('unavailable', `${message}: it was deployed from an older version.`, {
        hint: `Deploy this one: npx cdk deploy '${stageName}/*'`,
      })
    : new CliError('unavailable', `${message}: it is ${stack.StackStatus}.`, { hint: advice });
};
