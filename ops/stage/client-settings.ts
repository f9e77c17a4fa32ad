import { DynamoDB, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

export const writesAtOnce = 64;

/** Settings of every AWS client. By default, the SDK would wait forever for a response. */
export const clientSettings = {
  requestHandler: {
    connectionTimeout: 3_000,
    // Of silence, before a response or within it.
    socketTimeout: 10_000,
    httpAgent: { maxSockets: writesAtOnce },
    httpsAgent: { maxSockets: writesAtOnce },
  },
  // A new on-demand table needs minutes to adapt to a load.
  maxAttempts: 10,
};

export const dynamodb = (settings: DynamoDBClientConfig = {}): DynamoDB =>
  new DynamoDB({ ...clientSettings, ...settings });
