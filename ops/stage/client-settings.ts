import { DynamoDB, type DynamoDBClientConfig, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { isThrottlingError } from '@smithy/core/retry';
import pRetry from 'p-retry';
import { jsonProtocol } from '../../functions/dynamodb/json-protocol.ts';

const requestHandler = {
  connectionTimeout: 3_000,
  requestTimeout: 10_000,
  // Limits the wait for the rest of a response that has begun.
  socketTimeout: 10_000,
  throwOnRequestTimeout: true,
};

/** Settings of every AWS client. By default, the SDK would wait forever for a response. */
export const clientSettings = { requestHandler };

export const writesAtOnce = 64;

const agent = { maxSockets: writesAtOnce };

/** Retries a call for about a minute in all, because a new on-demand table needs minutes to adapt to a load. */
export const retryPatiently = <Result>(call: () => Promise<Result>, isPassing: (error: unknown) => boolean) =>
  pRetry(call, {
    retries: 10,
    minTimeout: 50,
    maxTimeout: 20_000,
    randomize: true,
    shouldRetry: ({ error }) => isPassing(error),
  });

/**
 * Returns a client for the inventory that needs three quarters of the usual CPU for a write: it has a connection for
 * each write, assembles the SDK's middleware once (lib-dynamodb rejects that), and uses the functions' wire format.
 */
export const inventoryClient = async (settings: DynamoDBClientConfig = {}): Promise<DynamoDB> => {
  // The URL that the SDK would use, from the region and everything else that an operator can set.
  const { config } = new DynamoDB(settings);
  const { url } = await getEndpointFromInstructions({}, PutItemCommand, config);
  const client = new DynamoDB({
    ...settings,
    requestHandler: { ...requestHandler, httpAgent: agent, httpsAgent: agent },
    cacheMiddleware: true,
    protocol: jsonProtocol(url),
  });
  const isThrottled = (error: unknown) => isThrottlingError(error as never);
  // The SDK's own retries share a budget, which many calls at the same time use up.
  client.middlewareStack.add((next) => (args) => retryPatiently(() => next(args), isThrottled));
  return client;
};
