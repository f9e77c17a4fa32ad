import { once } from 'node:events';
import { connect } from 'node:net';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import { clientSettings, inventoryClient } from './client-settings.ts';
import { type RunDescription, readRunFiles, removeRunFile } from './run-file.ts';
import type { Stage } from './stage.ts';

/**
 * Finds the `petstore start` on a port or, without a port, the only one. Throws a CliError for none
 * or several.
 */
export const localStage = async (
  port: number | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Stage> => {
  const portOf = ({ baseUrl }: RunDescription) => Number(new URL(baseUrl).port);
  const described = readRunFiles(env).filter((each) => port === undefined || portOf(each) === port);
  const runs = (await Promise.all(described.map((each) => ifRunning(each, env)))).flat();
  const [run, ...others] = runs;
  if (!run) {
    const hint = `Start one: ${npxPetstore} start${port === undefined ? '' : ` --port ${port}`}`;
    throw new CliError(
      'unavailable',
      `There is no local run${port === undefined ? '' : ` on port ${port}`}.`,
      {
        hint,
      },
    );
  }
  if (others.length > 0) {
    const choices = runs.map((each) => `--port ${portOf(each)} (${each.stageName})`).join(', ');
    throw new CliError('unavailable', 'There are several local runs.', {
      hint: `Choose one: ${choices}`,
    });
  }

  const { stageName, baseUrl, restApiId, dynamodb, accountId, region, credentials } = run;
  const { endpoint } = dynamodb;
  const { origin } = new URL(baseUrl);
  const place = {
    region,
    credentials,
    endpoint,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
  };
  return {
    stageName,
    title: 'the local run',
    description: `${stageName} of the local run at ${baseUrl}, account ${accountId}`,
    options: port ? `--local --port ${port}` : '--local',
    isProduction: false,
    inventory: { client: await inventoryClient(place), TableName: dynamodb.inventory },
    apiKeys: { client: new DynamoDB({ ...clientSettings, ...place }), TableName: dynamodb.apiKeys },
    restApi: {
      client: new APIGateway({ ...clientSettings, ...place, endpoint: origin }),
      restApiId,
    },
  };
};

/** Returns the run, or nothing if it was killed, whose description is then removed. */
const ifRunning = async (
  run: RunDescription,
  env: NodeJS.ProcessEnv,
): Promise<RunDescription[]> => {
  const { hostname, port } = new URL(run.baseUrl);
  try {
    process.kill(run.pid, 0);
    // Another process may have the pid by now, so the run must also accept a connection.
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.destroy();
    return [run];
  } catch {
    removeRunFile(run, env);
    return [];
  }
};
