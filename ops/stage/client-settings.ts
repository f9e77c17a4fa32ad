import { DynamoDB, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { httpsSettings } from './https-settings.ts';

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

/**
 * Settings of a client of a deployed stage. The SDK does not know AWS_DEFAULT_REGION, which the CDK
 * and the AWS CLI prefer to the region of the profile.
 */
export const deployedSettings = async () => {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const region = AWS_REGION || AWS_DEFAULT_REGION;
  const { requestHandler } = clientSettings;
  const httpsAgent = { ...requestHandler.httpsAgent, ...(await httpsSettings()) };
  return {
    ...clientSettings,
    requestHandler: { ...requestHandler, httpsAgent },
    ...(region && { region }),
  };
};

/** Creates a client that also repeats a write which met a transaction of the service. */
export const dynamodb = (settings: DynamoDBClientConfig = {}): DynamoDB => {
  const client = new DynamoDB({ ...clientSettings, ...settings });
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error) => {
        // Of the errors that mean another try, the SDK does not know this one.
        const $retryable = { throttling: false };
        throw error.name === conflict ? Object.assign(error, { $retryable }) : error;
      }),
    { step: 'deserialize', priority: 'high' },
  );
  return client;
};

const conflict = 'TransactionConflictException';
