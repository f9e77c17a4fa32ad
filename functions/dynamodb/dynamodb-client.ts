import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { AwsCredentialIdentity } from '@smithy/types';
import { attemptTimeout, requestAttempts } from '../shared/time-limits.ts';
import { jsonProtocol } from './json-protocol.ts';
import { requestHandler } from './request-handler.ts';
import { RetryStrategy } from './retry-strategy.ts';
import { signatureV4 } from './signature-v4.ts';
import { useStockSdk } from './stock-sdk.ts';

const { env } = process;

/** The credentials of the function's role. Read for each request, so that they may be rotated. */
const credentials = async (): Promise<AwsCredentialIdentity> => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('The environment holds no AWS credentials.');
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};

/**
 * The SDK's client with four of its parts replaced, at the seams that its configuration has: the wire format, HTTP,
 * signing and retries. What they replace, the bundles leave out (infra/lambda/bundling.ts). By
 * `npm run bench`, the whole SDK takes 1.8 to 1.9 times the CPU of a cold start; its signer alone, 1.05 to 1.09 times.
 */
const slimConfig = (maxAttempts: number): DynamoDBClientConfig => {
  const region = env.AWS_REGION ?? '';
  // The template says where DynamoDB is, because it knows the domain of every partition of AWS.
  const endpoint = new URL(env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  return {
    region,
    credentials,
    maxAttempts,
    retryStrategy: new RetryStrategy(maxAttempts),
    protocol: jsonProtocol(endpoint),
    requestHandler: requestHandler(endpoint, attemptTimeout),
    httpAuthSchemes: [
      {
        schemeId: 'aws.auth#sigv4',
        identityProvider: (config) => config.getIdentityProvider('aws.auth#sigv4'),
        signer: signatureV4(region),
      },
    ],
  };
};

const stockConfig = (maxAttempts: number): DynamoDBClientConfig => ({
  maxAttempts,
  retryMode: 'standard',
  requestHandler: { requestTimeout: attemptTimeout, connectionTimeout: attemptTimeout, throwOnRequestTimeout: true },
});

/** A client of DynamoDB. Made at init, so that its connection outlives a request. */
export const dynamodbClient = (maxAttempts: number): DynamoDBClient =>
  new DynamoDBClient(useStockSdk ? stockConfig(maxAttempts) : slimConfig(maxAttempts));

export const client = dynamodbClient(requestAttempts);
