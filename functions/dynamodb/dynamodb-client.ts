import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AwsCredentialIdentity, HttpAuthScheme } from '@smithy/types';
import { attemptTimeout, requestAttempts } from '../shared/time-limits.ts';
import { jsonProtocol } from './json-protocol.ts';
import { requestHandler } from './request-handler.ts';
import { RetryStrategy } from './retry-strategy.ts';
import { signer } from './signer.ts';

const { env } = process;

/**
 * Returns the credentials of the function's role. They are read for each request, so that Lambda
 * can rotate them.
 */
const credentials = async (): Promise<AwsCredentialIdentity> => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('The environment holds no AWS credentials.');
  }
  return { accessKeyId, secretAccessKey, sessionToken };
};

const signatureV4 = (region: string): HttpAuthScheme => ({
  schemeId: 'aws.auth#sigv4',
  identityProvider: (config) => config.getIdentityProvider('aws.auth#sigv4'),
  signer: signer({ region, service: 'dynamodb' }),
});

/**
 * Creates a DynamoDB client: the SDK's own, with the wire format, HTTP and retries replaced
 * (docs/decisions/0001-dynamodb-client.md). The bundles leave out what these replace
 * (sdk-aliases.ts). Call it during init, so that its connection is kept from request to request.
 */
export const dynamodbClient = (maxAttempts: number): DynamoDBClient => {
  const region = env.AWS_REGION ?? '';
  // The template sets the endpoint, because CloudFormation knows the domain of each partition of
  // AWS.
  const endpoint = new URL(env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  return new DynamoDBClient({
    region,
    credentials,
    maxAttempts,
    retryStrategy: new RetryStrategy(maxAttempts),
    protocol: jsonProtocol(endpoint),
    requestHandler: requestHandler(endpoint, attemptTimeout),
    httpAuthSchemes: [signatureV4(region)],
  });
};

/** The client that functions share. */
export const client = dynamodbClient(requestAttempts);
