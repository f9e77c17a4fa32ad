import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { credentials, endpoint, region } from './environment.ts';
import { jsonProtocol } from './json-protocol.ts';
import { requestHandler } from './request-handler.ts';
import { signatureV4 } from './signature-v4.ts';

/**
 * The one client of an instance, created at init so that its connection outlives a request.
 * The SDK's own default is to wait for ever. Here 3 attempts of at most 2 s of silence each, and at
 * most 1.5 s of backoff between them, end before the functions' limit of 10 s (infra/service-function.ts).
 *
 * Everything that the SDK would otherwise look up or work out is given, so that the bundle can leave
 * those parts of the SDK out (infra/bundling.ts).
 */
export const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    region,
    credentials,
    maxAttempts: 3,
    retryMode: 'standard',
    protocol: jsonProtocol(endpoint),
    requestHandler: requestHandler(endpoint, { timeout: 2_000 }),
    httpAuthSchemes: [
      {
        schemeId: 'aws.auth#sigv4',
        identityProvider: (config) => config.getIdentityProvider('aws.auth#sigv4'),
        signer: signatureV4(region),
      },
    ],
  }),
);
