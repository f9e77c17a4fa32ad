import { DynamoDB, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { isThrottlingError } from '@smithy/core/retry';
import pRetry from 'p-retry';

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

/**
 * Retries a throttled call for about a minute in all: a new on-demand table needs minutes to adapt
 * to a load.
 */
export const retryThrottled = <Result>(
  call: () => Promise<Result>,
  isThrottled = isThrottlingError,
) =>
  pRetry(call, {
    retries: 10,
    minTimeout: 50,
    maxTimeout: 20_000,
    randomize: true,
    shouldRetry: ({ error }) => isThrottled(error as never),
  });

/**
 * Returns a client for the inventory that needs less than the usual CPU for a write: it has a
 * connection for each write, and assembles the SDK's middleware once (lib-dynamodb rejects that).
 */
export const inventoryClient = (settings: DynamoDBClientConfig = {}): DynamoDB => {
  const client = new DynamoDB({
    ...settings,
    requestHandler: { ...requestHandler, httpAgent: agent, httpsAgent: agent },
    cacheMiddleware: true,
  });
  // The SDK's own retries share a budget, which many calls at the same time use up.
  client.middlewareStack.add((next) => (args) => retryThrottled(() => next(args)));
  return client;
};
