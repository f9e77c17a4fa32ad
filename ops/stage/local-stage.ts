import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { petStatuses } from '../../functions/inventory/item.ts';
import { descriptionPath, type RunDescription } from '../../local/gateway/operators-api.ts';
import { localClient } from '../../local/shared/account.ts';
import { CliError } from '../cli/errors.ts';
import { clientSettings, dynamodb } from './client-settings.ts';
import type { Stage } from './stage.ts';

const patience = 5_000;

/** Finds the `petstore start` on a port, which describes itself. */
export const localStage = async (port: number): Promise<Stage> => {
  const { stageName, baseUrl, dynamodb: tables } = await runOn(port);
  const settings = { ...localClient, endpoint: tables.endpoint };
  return {
    stageName,
    description: `${stageName} of the local run at ${baseUrl}`,
    isProduction: false,
    statuses: petStatuses,
    inventory: { client: dynamodb(settings), TableName: tables.inventory },
    apiKeys: { client: dynamodb(settings), TableName: tables.apiKeys },
    restApi: {
      client: new APIGateway({
        ...clientSettings,
        ...localClient,
        endpoint: `http://127.0.0.1:${port}`,
      }),
      restApiId: 'local',
    },
  };
};

/** @throws CliError that says what the port is, if it is not a local run's */
const runOn = async (port: number): Promise<RunDescription> => {
  const answer = await ask(port).catch((cause) => {
    throw new CliError(noRunOn(port, cause.code), { cause });
  });
  if (!isRunDescription(answer)) {
    throw new CliError(noRunOn(port));
  }
  return answer;
};

/** Returns what a program on this machine says of itself; undefined if it is no local run. */
const ask = async (port: number): Promise<unknown> => {
  // With an agent of its own, no proxy is asked that the environment sets.
  const agent = new Agent();
  const signal = AbortSignal.timeout(patience);
  try {
    const request = get({ host: '127.0.0.1', port, path: descriptionPath, agent, signal });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response.statusCode === 200 ? await json(response) : undefined;
  } finally {
    agent.destroy();
  }
};

const noRunOn = (port: number, code?: string): string => {
  switch (code) {
    case 'ECONNREFUSED': {
      const start = `npx --no -- petstore start --port ${port}`;
      return `There is no local run on port ${port}. Start one (${start}) or give another --port.`;
    }
    case 'ABORT_ERR':
      return (
        `Port ${port} did not answer within ${patience / 1000} s. If it is a local run, restart ` +
        'it; otherwise give the --port of one.'
      );
    default:
      return (
        `Port ${port} belongs to another program, or to a local run of another version. ` +
        'Give the --port of a local run.'
      );
  }
};

/** Whether a program describes itself as a local run does, whose engine is on this machine. */
const isRunDescription = (value: unknown): value is RunDescription => {
  const { stageName, baseUrl, dynamodb } = (value ?? {}) as Partial<RunDescription>;
  const { endpoint, inventory, apiKeys } = dynamodb ?? {};
  const texts = [stageName, inventory, apiKeys];
  return texts.every((text) => typeof text === 'string') && [baseUrl, endpoint].every(isLoopback);
};

const isLoopback = (url: unknown): boolean => {
  const { protocol, hostname } = (typeof url === 'string' && URL.parse(url)) || {};
  return protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname ?? '');
};
