import { descriptionPath, type RunDescription } from '../../local/gateway/operators-api.ts';
import { localClient } from '../../local/shared/account.ts';
import { CliError } from '../cli/errors.ts';
import { dynamodb } from './client-settings.ts';
import type { Stage } from './stage.ts';

/** Finds the `petstore start` on a port, which describes itself. */
export const localStage = async (port: number): Promise<Stage> => {
  try {
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(`http://127.0.0.1:${port}${descriptionPath}`, { signal });
    // What another program answers has other members, which fails here.
    return stageOf((await response.json()) as RunDescription);
  } catch (cause) {
    const start = `npx --no -- petstore start ${port}`;
    throw new CliError(`There is no local run on port ${port}. Start one: ${start}`, { cause });
  }
};

const stageOf = ({ stageName, baseUrl, dynamodb: tables }: RunDescription): Stage => {
  const client = dynamodb({ ...localClient, endpoint: tables.endpoint });
  return {
    stageName,
    description: `${stageName} of the local run at ${baseUrl}`,
    isProduction: false,
    inventory: { client, TableName: tables.inventory },
    apiKeys: { client, TableName: tables.apiKeys },
  };
};
