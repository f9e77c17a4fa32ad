import { deepStrictEqual } from 'node:assert/strict';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { patchedBody } from './events.ts';

/** Throws unless a candidate returns the updated entry, byte for byte and with every digit. */
export const checkResponse = (
  name: string,
  { statusCode, headers, multiValueHeaders, body }: APIGatewayProxyResult,
) => {
  const values = { ...multiValueHeaders, ...headers };
  const [, contentType] =
    Object.entries(values).find(([header]) => header.toLowerCase() === 'content-type') ?? [];
  // Some frameworks add `; charset=utf-8`.
  const mediaType = String(contentType).replace(/;.*/, '');
  deepStrictEqual(
    { statusCode, mediaType, body },
    { statusCode: 200, mediaType: 'application/json', body: patchedBody },
    name,
  );
};

/** Throws unless the authorizer allows the key. */
export const checkPolicy = (result: unknown) => {
  const { policyDocument } = result as { policyDocument?: { Statement: { Effect: string }[] } };
  deepStrictEqual(
    policyDocument?.Statement.map(({ Effect }) => Effect),
    ['Allow'],
  );
};
