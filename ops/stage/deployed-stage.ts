import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { CliError } from '../cli/cli-error.ts';
import { clientSettings } from './client-settings.ts';
import type { Stage } from './stage.ts';

/** Finds a deployed stage with the credentials, profile and region that every AWS tool takes from its surroundings. */
export const deployedStage = async (stageName: string): Promise<Stage> => {
  const cloudFormation = new CloudFormationClient(clientSettings);
  const region = await cloudFormation.config.region();
  const { Account } = await new STSClient(clientSettings).send(new GetCallerIdentityCommand());
  const place = `account ${Account}, ${region}`;

  const outputs = await stackOutputs(cloudFormation, stageName, place);
  const output = (name: string): string => {
    const value = outputs.get(name);
    if (value === undefined) {
      const reason = `The stack of ${stageName} in ${place} has no output ${name}: it was deployed from an older version.`;
      throw new CliError('unavailable', reason, { hint: `Deploy this one: npx cdk deploy '${stageName}/*'` });
    }
    return value;
  };
  return {
    stageName,
    description: `${stageName} in ${place}`,
    options: `--stage ${stageName}`,
    isProduction: stageName === 'prod',
    dynamodb: new DynamoDBClient(clientSettings),
    inventoryTable: output('InventoryTableName'),
    apiKeysTable: output('ApiKeysTableName'),
    flushAuthorizersCache: async () => {
      const flush = new FlushStageAuthorizersCacheCommand({ restApiId: output('RestApiId'), stageName });
      await new APIGatewayClient(clientSettings).send(flush);
    },
  };
};

const stackOutputs = async (
  cloudFormation: CloudFormationClient,
  stageName: string,
  place: string,
): Promise<Map<string, string>> => {
  const StackName = `${stageName}-petstore-inventory`;
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    return new Map(Stacks?.[0]?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist')) {
      throw new CliError('unavailable', `${stageName} is not deployed in ${place}: there is no stack ${StackName}.`, {
        hint: `Set AWS_REGION or AWS_PROFILE if it is elsewhere, or deploy it: npx cdk deploy --no-rollback '${stageName}/*'`,
      });
    }
    throw error;
  }
};
