import { crc32 } from 'node:zlib';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { syntheticPage, tableName, usualTable } from '../../../bench/synthetic-table.ts';
import type { DynamodbClient } from '../../../functions/dynamodb/dynamodb-client.ts';
import { RetryStrategy } from '../../../functions/dynamodb/retries.ts';
import { attemptTimeout, busyTime } from '../../../functions/shared/time-limits.ts';
import { setEnvironment } from '../functions/functions.ts';
import { atEnd } from '../process/at-end.ts';
import { type Passing as Call, dynamodbProxy } from './dynamodb-proxy.ts';

/** Handles a call in place of DynamoDB and writes the response itself. */
export type Script = (call: Call) => unknown;

/** Returns a script that responds with this body and its checksum, which `headers` may override. */
export const respond =
  (status: number, body: string | Buffer, headers: object = {}): Script =>
  ({ response }) =>
    response.writeHead(status, { 'x-amz-crc32': crc32(body), ...headers }).end(body);

export const respondWithError = (status: number, name: string, headers = {}): Script => {
  const error = {
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message: 'Not a word of this to clients.',
  };
  return respond(status, JSON.stringify(error), headers);
};

/** Returns a script that responds to a Scan of a table with this number of usual entries. */
export const scanEntries =
  (entries: number): Script =>
  (call) =>
    respond(200, syntheticPage({ ...call.body, TableName: tableName(usualTable(entries)) }))(call);

/**
 * Starts a DynamoDB for the functions. It follows a script; `received` holds the calls since the
 * script began.
 */
export const startDynamodb = async () => {
  const received: Call[] = [];
  let scripts: Script[] = [];
  const proxy = await dynamodbProxy('', async (call) => {
    received.push(call);
    await (scripts.length > 1 ? scripts.shift() : scripts[0])?.(call);
    return 'written';
  });
  atEnd(proxy.close);
  const tables = {
    INVENTORY_TABLE_NAME: 'inventory',
    API_KEYS_TABLE_NAME: 'keys',
    RECEIPTS_TABLE_NAME: 'receipts',
  };
  setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint, ...tables });
  /**
   * Handles the next calls with these scripts, one each, and all later calls with the last script.
   */
  const script = (...next: Script[]) => {
    received.length = 0;
    scripts = next;
  };
  return { ...proxy, received, script };
};

/** Makes the SDK retry at once. */
const backoff = { setDelayBase: () => {}, computeNextBackoffDelay: () => 0 };

/** Makes a client retry at once, with a quota of retries for each request. */
export const retryAtOnce = ({ config }: DynamodbClient): void => {
  config.retryStrategy = async () =>
    new RetryStrategy({ maxAttempts: await config.maxAttempts(), backoff });
};

/**
 * Returns a new client for an endpoint, made like the functions' own, with its own retry quota and
 * connections. It retries at once.
 */
export const clientOf = async (endpoint: string, maxAttempts = 3): Promise<DynamodbClient> => {
  setEnvironment({ AWS_SESSION_TOKEN: 'token', AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  const { client, dynamodbClient } = await import('../../../functions/dynamodb/dynamodb-client.ts');
  const fresh = dynamodbClient(maxAttempts);
  const retryStrategy = new RetryStrategy({ maxAttempts, backoff });
  fresh.config.retryStrategy = async () => retryStrategy;
  atEnd(() => client.destroy());
  atEnd(() => fresh.destroy());
  return fresh;
};

export const getItem = () =>
  new GetItemCommand({ TableName: 'keys', Key: { keyHash: { S: 'é' } } });

/**
 * Lets a second pass whenever the time is asked: before a command is first sent and after each of its
 * attempts.
 */
export const aSecondEach = (): void => {
  let seconds = 0;
  jest.spyOn(process, 'uptime').mockImplementation(() => seconds++);
  jest.spyOn(Math, 'random').mockReturnValue(0);
};

/** How often a command is then sent that always meets others. */
export const inBusyTime = Math.ceil(busyTime / 1_000);

/** Watches the timers that functions set. Returns a function that ends the last silence at once. */
export const takeSilence = () => {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  return (): void => {
    const [giveUp] = timers.mock.calls.findLast(([, delay]) => delay === attemptTimeout) ?? [];
    (giveUp as () => void)();
  };
};
