import { Agent } from 'node:https';
import { DynamoDB, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { RetryStrategy } from '../../functions/dynamodb/retries.ts';

export const writesAtOnce = 64;

/** Settings of every AWS client. By default, the SDK would wait forever for a response. */
export const clientSettings = {
  requestHandler: {
    connectionTimeout: 3_000,
    // Of silence, before a response or within it.
    socketTimeout: 10_000,
    httpAgent: { maxSockets: writesAtOnce },
    // HTTPS_PROXY and NO_PROXY, which Node heeds from 24.5.
    httpsAgent: new Agent({ maxSockets: writesAtOnce, keepAlive: true, proxyEnv: process.env }),
  },
  // A new on-demand table needs minutes to adapt to a load.
  maxAttempts: 10,
};

/**
 * Settings of a client of a deployed stage. The SDK does not know AWS_DEFAULT_REGION, which the CDK
 * and the AWS CLI prefer to the region of the profile.
 */
export const deployedSettings = () => {
  const region = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  return { ...clientSettings, ...(region && { region }) };
};

/** The milliseconds for which a write waits for its turn, in the middle of a rush of clients. */
const patience = 60_000;

/** Creates a client whose writes wait for the transactions of the service, as its own do. */
export const dynamodb = ({
  maxAttempts = clientSettings.maxAttempts,
  ...settings
}: DynamoDBClientConfig & { maxAttempts?: number } = {}): DynamoDB => {
  const retryStrategy = new RetryStrategy({ maxAttempts, patience });
  return new DynamoDB({ ...clientSettings, ...settings, maxAttempts, retryStrategy });
};
