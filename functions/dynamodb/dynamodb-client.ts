import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { attemptTimeout } from '../shared/time-limits.ts';
import { credentials, endpoint, region } from './environment.ts';
import { jsonProtocol } from './json-protocol.ts';
import { requestHandler } from './request-handler.ts';
import { signatureV4 } from './signature-v4.ts';

/**
 * A client of DynamoDB, to be made at init so that its connection outlives a request. The SDK's own default
 * is to wait for ever.
 *
 * Everything that the SDK would otherwise look up or work out is given, so that the bundle can leave
 * those parts of the SDK out (infra/bundling.ts).
 */
export const dynamodbClient = (maxAttempts: number): DynamoDBClient =>
  new DynamoDBClient({
    region,
    credentials,
    maxAttempts,
    retryMode: 'standard',
    protocol: jsonProtocol(endpoint),
    requestHandler: requestHandler(endpoint, { timeout: attemptTimeout }),
    httpAuthSchemes: [
      {
        schemeId: 'aws.auth#sigv4',
        identityProvider: (config) => config.getIdentityProvider('aws.auth#sigv4'),
        signer: signatureV4(region),
      },
    ],
  });
