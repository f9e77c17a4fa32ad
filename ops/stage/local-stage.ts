import { once } from 'node:events';
import { connect } from 'node:net';
import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CliError } from '../cli/cli-error.ts';
import { clientSettings } from './client-settings.ts';
import { type RunDescription, readRunFiles, removeRunFile } from './run-file.ts';
import type { Stage } from './stage.ts';

/** Finds the one `petstore start` that runs, or the one on a port. */
export const localStage = async (port: number | undefined, env: NodeJS.ProcessEnv): Promise<Stage> => {
  const running: RunDescription[] = [];
  for (const run of readRunFiles(env)) {
    if (await isRunning(run)) {
      running.push(run);
    } else {
      removeRunFile(run, env);
    }
  }
  const asked = ({ baseUrl }: RunDescription) => port === undefined || new URL(baseUrl).port === String(port);
  const [run, ...others] = running.filter(asked);
  if (!run) {
    throw new CliError('unavailable', `There is no local run${port ? ` on port ${port}` : ''}.`, {
      hint: `Start one: npx petstore start${port ? ` --port ${port}` : ''}`,
    });
  }
  if (others.length > 0) {
    const ports = running.map(({ baseUrl, stageName }) => `--port ${new URL(baseUrl).port} (${stageName})`);
    throw new CliError('unavailable', 'There are several local runs.', { hint: `Choose one: ${ports.join(', ')}` });
  }
  return stageOf(run, port ? `--local --port ${port}` : '--local');
};

const isRunning = async ({ pid, baseUrl }: RunDescription): Promise<boolean> => {
  const { hostname, port } = new URL(baseUrl);
  try {
    process.kill(pid, 0);
    // The number may be another process's by now.
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.destroy();
    return true;
  } catch {
    return false;
  }
};

const stageOf = (run: RunDescription, options: string): Stage => {
  const { stageName, baseUrl, restApiId, dynamodb, accountId, region, credentials } = run;
  const settings = { ...clientSettings, region, credentials };
  return {
    stageName,
    description: `${stageName} of the local run at ${baseUrl}, account ${accountId}`,
    options,
    isProduction: false,
    dynamodb: new DynamoDBClient({ ...settings, endpoint: dynamodb.endpoint }),
    inventoryTable: dynamodb.inventory,
    apiKeysTable: dynamodb.apiKeys,
    flushAuthorizersCache: async () => {
      const apiGateway = new APIGatewayClient({ ...settings, endpoint: new URL(baseUrl).origin });
      await apiGateway.send(new FlushStageAuthorizersCacheCommand({ restApiId, stageName }));
    },
  };
};
