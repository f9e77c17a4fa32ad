import { deepStrictEqual } from 'node:assert/strict';
import type { APIGatewayAuthorizerResult, APIGatewayProxyResult } from 'aws-lambda';

/** The largest int64: no handler may lose a digit of it. */
const petId = '9223372036854775807';

const headers = {
  'Content-Type': 'application/json',
  Accept: '*/*',
  Host: 'local.execute-api.us-east-1.amazonaws.com',
  'User-Agent': 'curl/8.5.0',
};

/** The event that API Gateway sends for PATCH /v1/inventory/{petId}. */
export const patchEvent = {
  resource: '/v1/inventory/{petId}',
  path: `/v1/inventory/${petId}`,
  httpMethod: 'PATCH',
  headers,
  multiValueHeaders: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  ),
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: { petId },
  stageVariables: null,
  requestContext: {
    accountId: '000000000000',
    apiId: 'local',
    resourceId: 'inventory',
    resourcePath: '/v1/inventory/{petId}',
    httpMethod: 'PATCH',
    path: `/staging/v1/inventory/${petId}`,
    protocol: 'HTTP/1.1',
    stage: 'staging',
    requestId: '11111111-2222-4333-8444-555555555555',
    requestTimeEpoch: 1_700_000_000_000,
    identity: { sourceIp: '127.0.0.1', userAgent: 'curl/8.5.0' },
    authorizer: { principalId: '0123456789abcdef', keyId: '0123456789abcdef', access: 'write' },
  },
  body: '{"quantity":7}',
  isBase64Encoded: false,
};

/** The body of the only correct response. */
const patchedBody = `{"petId":${petId},"quantity":7,"status":"available"}`;

export const authorizerEvent = (apiKey: string) => ({
  type: 'TOKEN',
  authorizationToken: `Bearer ${apiKey}`,
  methodArn: `arn:aws:execute-api:us-east-1:000000000000:local/staging/PATCH/v1/inventory/${petId}`,
});

/** Throws unless a handler returns the updated entry, byte for byte and with every digit. */
export const checkPatched = (result: unknown): void => {
  const { statusCode, headers, multiValueHeaders, body } = result as APIGatewayProxyResult;
  const values = { ...multiValueHeaders, ...headers };
  const [, contentType] =
    Object.entries(values).find(([header]) => header.toLowerCase() === 'content-type') ?? [];
  // Some frameworks add `; charset=utf-8`.
  const mediaType = String(contentType).replace(/;.*/, '');
  deepStrictEqual(
    { statusCode, mediaType, body },
    { statusCode: 200, mediaType: 'application/json', body: patchedBody },
  );
};

/** Throws unless the authorizer allows the key. */
export const checkPolicy = (result: unknown): void => {
  const { policyDocument } = result as APIGatewayAuthorizerResult;
  deepStrictEqual(
    policyDocument.Statement.map(({ Effect }) => Effect),
    ['Allow'],
  );
};
