import { descriptionPath, type RunDescription } from '../../local/gateway/operators-api.ts';
import { localClient } from '../../local/shared/account.ts';
import { CliError } from '../cli/errors.ts';
import { dynamodb } from './client-settings.ts';
import type { Stage } from './stage.ts';

/** Finds the `petstore start` on a port, which describes itself. */
export const localStage = async (port: number): Promise<Stage> => {
  const { stageName, baseUrl, dynamodb: tables } = await runOn(port);
  const client = dynamodb({ ...localClient, endpoint: tables.endpoint });
  return {
    stageName,
    description: `${stageName} of the local run at ${baseUrl}`,
    isProduction: false,
    inventory: { client, TableName: tables.inventory },
    apiKeys: { client, TableName: tables.apiKeys },
  };
};

const runOn = async (port: number): Promise<RunDescription> => {
  try {
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(`http://127.0.0.1:${port}${descriptionPath}`, { signal });
    return checked((await response.json()) as RunDescription);
  } catch (cause) {
    const start = `npx --no -- petstore start ${port}`;
    throw new CliError(`There is no local run on port ${port}. Start one: ${start}`, { cause });
  }
};

/** @throws Error unless a program describes itself as a local run does */
const checked = (description: RunDescription): RunDescription => {
  const { stageName, baseUrl, dynamodb } = description;
  const texts = [stageName, baseUrl, dynamodb.endpoint, dynamodb.inventory, dynamodb.apiKeys];
  if (!texts.every((text) => typeof text === 'string')) {
    throw new Error('Another program listens on this port.');
  }
  return description;
};
