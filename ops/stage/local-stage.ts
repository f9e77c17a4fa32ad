import { once } from 'node:events';
import { connect } from 'node:net';
import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CliError } from '../cli/cli-error.ts';
import { clientSettings } from './client-settings.ts';
import { type RunDescription, readRunFiles, removeRunFile } from './run-file.ts';
import type { Target } from './stage.ts';

/** Finds the one `npm start` that runs, or the one on a port. */
export const localRun = async (port: string | undefined): Promise<Target> => {
  const running: RunDescription[] = [];
  for (const run of readRunFiles()) {
    if (await isRunning(run)) {
      running.push(run);
    } else {
      removeRunFile(run);
    }
  }
  const [run, ...others] = running.filter(({ baseUrl }) => port === undefined || new URL(baseUrl).port === port);
  if (!run) {
    throw new CliError('unavailable', `No local run${port ? ` on port ${port}` : ''} is there. Start one: npm start`);
  }
  if (others.length > 0) {
    const ports = running.map(({ baseUrl, stageName }) => `${new URL(baseUrl).port} (${stageName})`).join(', ');
    throw new CliError('unavailable', `Several local runs are there. Choose one with --port: ${ports}.`);
  }
  return targetOf(run);
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

const targetOf = (run: RunDescription): Target => {
  const { stageName, baseUrl, restApiId, dynamodb, accountId, region, credentials } = run;
  const settings = { ...clientSettings, region, credentials };
  return {
    stageName,
    description: `${stageName} of the local run at ${baseUrl}, account ${accountId}`,
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
