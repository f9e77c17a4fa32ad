import { DynamoDBClient, type DynamoDBClientConfig, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { jsonProtocol } from '../../functions/dynamodb/json-protocol.ts';

const requestHandler = {
  connectionTimeout: 3_000,
  requestTimeout: 10_000,
  // Of a response that has begun and does not go on.
  socketTimeout: 10_000,
  throwOnRequestTimeout: true,
};

/** Of every AWS client. The SDK's own default is to wait for ever. */
export const clientSettings = { requestHandler };

export const writesAtOnce = 64;

const agent = { maxSockets: writesAtOnce };

/**
 * A client for the inventory that writes with three quarters of the CPU: a connection for each write, the SDK's steps
 * put together once for all (which clients of lib-dynamodb reject), and the functions' wire format in place of its own.
 */
export const inventoryClient = async (settings: DynamoDBClientConfig = {}): Promise<DynamoDBClient> => {
  // Where the SDK would send a request, by the region and all that an operator can set.
  const { config } = new DynamoDBClient(settings);
  const { url } = await getEndpointFromInstructions({}, PutItemCommand, config);
  return new DynamoDBClient({
    ...settings,
    requestHandler: { ...requestHandler, httpAgent: agent, httpsAgent: agent },
    cacheMiddleware: true,
    protocol: jsonProtocol(url),
  });
};
