import { APIGateway } from '@aws-sdk/client-api-gateway';
import { descriptionPath, type RunDescription } from '../../local/gateway/operators-api.ts';
import { localCredentials as credentials, region } from '../../local/shared/account.ts';
import { CliError } from '../cli/errors.ts';
import { clientSettings, dynamodb } from './client-settings.ts';
import type { Stage } from './stage.ts';

/** Finds the `petstore start` on a port, which describes itself. */
export const localStage = async (port: number): Promise<Stage> => {
  const origin = `http://127.0.0.1:${port}`;
  const { stageName, baseUrl, dynamodb: tables } = await describe(origin, port);
  const settings = { region, credentials, endpoint: tables.endpoint };
  return {
    stageName,
    description: `${stageName} of the local run at ${baseUrl}`,
    isProduction: false,
    inventory: { client: dynamodb(settings), TableName: tables.inventory },
    apiKeys: { client: dynamodb(settings), TableName: tables.apiKeys },
    restApi: {
      client: new APIGateway({ ...clientSettings, ...settings, endpoint: origin }),
      restApiId: 'local',
    },
  };
};

const describe = async (origin: string, port: number): Promise<RunDescription> => {
  try {
    const response = await fetch(origin + descriptionPath, { signal: AbortSignal.timeout(5_000) });
    return (await response.json()) as RunDescription;
  } catch (cause) {
    const start = `npx --no -- petstore start --port ${port}`;
    const message = `There is no local run on port ${port}. Start one (${start}), or give its --port.`;
    throw new CliError(message, { cause });
  }
};
