import { DynamoDB, type DynamoDBClientConfig, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
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

/**
 * Returns a client for the inventory that needs three quarters of the usual CPU for a write: it has a connection for
 * each write, assembles the SDK's middleware once (lib-dynamodb rejects that), and uses the functions' wire format.
 */
export const inventoryClient = async (settings: DynamoDBClientConfig = {}): Promise<DynamoDB> => {
  // The URL that the SDK would use, from the region and everything else that an operator can set.
  const { config } = new DynamoDB(settings);
  const { url } = await getEndpointFromInstructions({}, PutItemCommand, config);
  return new DynamoDB({
    ...settings,
    requestHandler: { ...requestHandler, httpAgent: agent, httpsAgent: agent },
    cacheMiddleware: true,
    protocol: jsonProtocol(url),
  });
};
