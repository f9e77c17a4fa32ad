import { deepStrictEqual } from 'node:assert/strict';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { patchedBody } from './events.ts';

/** Refuses a row that answers anything but the updated entry, byte for byte and with every digit. */
export const checkAnswer = (name: string, { statusCode, headers, multiValueHeaders, body }: APIGatewayProxyResult) => {
  const values = { ...multiValueHeaders, ...headers };
  const [, contentType] = Object.entries(values).find(([header]) => header.toLowerCase() === 'content-type') ?? [];
  // Some frameworks add `; charset=utf-8`.
  const mediaType = String(contentType).replace(/;.*/, '');
  deepStrictEqual(
    { statusCode, mediaType, body },
    { statusCode: 200, mediaType: 'application/json', body: patchedBody },
    name,
  );
};

/** Refuses an authorizer that does not let the key in. */
export const checkPolicy = (result: unknown) => {
  const { policyDocument } = result as { policyDocument?: { Statement: { Effect: string }[] } };
  deepStrictEqual(
    policyDocument?.Statement.map(({ Effect }) => Effect),
    ['Allow'],
  );
};
