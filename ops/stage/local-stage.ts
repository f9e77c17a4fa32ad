import { once } from 'node:events';
import { connect } from 'node:net';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import { clientSettings, inventoryClient } from './client-settings.ts';
import { type RunDescription, readRunFiles, removeRunFile } from './run-file.ts';
import type { Stage } from './stage.ts';

interface LocalStage extends Stage {
  /** Ends in `/v1`. */
  baseUrl: string;
}

/**
 * Finds the `petstore start` on a port or, without a port, the only one. Throws a CliError for none
 * or several.
 */
export const localStage = async (
  port: number | undefined,
  env: NodeJS.ProcessEnv,
): Promise<LocalStage> => stageOf(await findRun(port, env), port);

const findRun = async (
  port: number | undefined,
  env: NodeJS.ProcessEnv,
): Promise<RunDescription> => {
  const described = readRunFiles(env).filter((run) => port === undefined || portOf(run) === port);
  const runs = (await Promise.all(described.map((run) => ifRunning(run, env)))).flat();
  const [run, ...others] = runs;
  if (!run) {
    throw noRun(port);
  }
  if (others.length > 0) {
    const hint = 'Say which by the port that it has printed: --port PORT';
    throw new CliError('unavailable', 'There are several local runs.', { hint });
  }
  return run;
};

const portOf = ({ baseUrl }: RunDescription): number => Number(new URL(baseUrl).port);

const noRun = (port: number | undefined): CliError => {
  const onPort = port === undefined ? '' : ` on port ${port}`;
  const option = port === undefined ? '' : ` --port ${port}`;
  return new CliError('unavailable', `There is no local run${onPort}.`, {
    hint: `Start one: ${npxPetstore} start${option}`,
  });
};

const stageOf = async (run: RunDescription, port: number | undefined): Promise<LocalStage> => {
  const { stageName, baseUrl, restApiId, dynamodb, accountId, region, credentials } = run;
  const connection = {
    region,
    credentials,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
  };
  const engine = { ...connection, endpoint: dynamodb.endpoint };
  const { origin } = new URL(baseUrl);
  return {
    baseUrl,
    stageName,
    title: 'the local run',
    description: `${stageName} of the local run at ${baseUrl}, account ${accountId}`,
    options: port === undefined ? '--local' : `--local --port ${port}`,
    isProduction: false,
    inventory: { client: inventoryClient(engine), TableName: dynamodb.inventory },
    apiKeys: {
      client: new DynamoDB({ ...clientSettings, ...engine }),
      TableName: dynamodb.apiKeys,
    },
    restApi: {
      client: new APIGateway({ ...clientSettings, ...connection, endpoint: origin }),
      restApiId,
    },
    enforcesReadOnlyKeys: true,
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
