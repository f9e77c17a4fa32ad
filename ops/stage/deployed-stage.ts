import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { STS } from '@aws-sdk/client-sts';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import { clientSettings, inventoryClient } from './client-settings.ts';
import type { Stage } from './stage.ts';

/**
 * Finds a deployed stage with the credentials, profile and region that every AWS tool takes from
 * its environment.
 */
export const deployedStage = async (stageName: string): Promise<Stage> => {
  const cloudFormation = new CloudFormation(clientSettings);
  const region = await cloudFormation.config.region();
  const { Account } = await new STS(clientSettings).getCallerIdentity();
  const place = `account ${Account}, ${region}`;

  const StackName = `${stageName}-petstore-inventory`;
  const { Stacks } = await cloudFormation.describeStacks({ StackName }).catch((error: Error) => {
    if (!error.message.includes('does not exist')) {
      throw error;
    }
    const hint = `Set AWS_REGION or AWS_PROFILE if it is elsewhere, or deploy it: npx cdk deploy --no-rollback '${stageName}/*'`;
    const reason = `${stageName} is not deployed in ${place}: there is no stack ${StackName}.`;
    throw new CliError('unavailable', reason, { hint });
  });
  const output = (name: string): string => {
    const { StackStatus = '', Outputs = [] } = Stacks?.[0] ?? {};
    const { OutputValue } = Outputs.find(({ OutputKey }) => OutputKey === name) ?? {};
    if (OutputValue !== undefined) {
      return OutputValue;
    }
    const [state, hint] = /(?<!^ROLLBACK)_COMPLETE$/.test(StackStatus)
      ? ['was deployed from an older version', `Deploy this one: npx cdk deploy '${stageName}/*'`]
      : [`is ${StackStatus}`, `See what to do: ${npxPetstore} preflight --stage ${stageName}`];
    const reason = `The stack of ${stageName} in ${place} has no output ${name}: it ${state}.`;
    throw new CliError('unavailable', reason, { hint });
  };
  return {
    stageName,
    title: stageName,
    description: `${stageName} in ${place}`,
    options: `--stage ${stageName}`,
    isProduction: stageName === 'prod',
    inventory: { client: await inventoryClient(), TableName: output('InventoryTableName') },
    apiKeys: { client: new DynamoDB(clientSettings), TableName: output('ApiKeysTableName') },
    restApi: { client: new APIGateway(clientSettings), restApiId: output('RestApiId') },
  };
};
