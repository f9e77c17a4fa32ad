import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createApiKey, isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { clockAhead, respond, type Script, startDynamodb } from '../support/dynamodb/dynamodb.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { contextWith } from '../support/functions/functions.ts';

const dynamodb = await startDynamodb();
const { handler } = await import('../../functions/authorizer.ts');

// Issued keys must stay valid, so the format and the hash of a key must never change.
const apiKey = 'petstore_staging_000102030405060708090a0b0c0d0e0f10111213dd2b7b0b';
const keyHash = 'dd7d0d5c46b95001a604a1cc4c2023e983f97d3aba3cd2ee3370ef6d4d895b4d';
const keyOfProd = 'petstore_prod_000102030405060708090a0b0c0d0e0f1011121326f7f6e3';
const now = 1_800_000_000;
const stage = 'arn:aws:execute-api:eu-west-1:123456789012:api/staging/';

const log = captureLog();

/** The attributes of a key that may write, and of one that may only read. */
const writing = { keyId: { S: 'key-1' }, name: { S: 'test' } };
const readOnly = { readOnlyKeyId: { S: 'key-2' }, access: { S: 'read' }, keyId: undefined };

/** Authorizes a token. The table holds its key with these attributes or, without any, no key. */
const authorize = (
  authorizationToken: string,
  attributes?: object,
  scriptOf = (found: Script) => found,
) => {
  const Item = attributes && { ...writing, ...attributes };
  dynamodb.script(scriptOf(respond(200, JSON.stringify({ Item }))));
  jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
  // The line feed is what the ARN would hold if API Gateway decoded a %0A.
  const event = {
    type: 'TOKEN',
    authorizationToken,
    methodArn: `${stage}PATCH/v1/inventory/1\n2`,
  } as const;
  return handler(event, contextWith(10_000));
};
const policy = (Effect: string, keyId: string, access: object = {}) => ({
  principalId: keyId,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Effect, Action: 'execute-api:Invoke', Resource: `${stage}*` }],
  },
  context: { keyId, ...access },
});
const line = (fields: object) => ({
  timestamp: expect.any(String),
  level: 'INFO',
  operation: 'authorize',
  durationMs: expect.any(Number),
  ...fields,
});

const denied = policy('Deny', 'unknown');
const allowed = policy('Allow', 'key-1', { access: 'write' });

test('allows the bearer of an active key the whole stage, and logs the keyId', async () => {
  expect(await authorize(`Bearer ${apiKey}`, {})).toEqual(allowed);
  const expiring = { expiresAt: { N: String(now + 1) } };
  expect(await authorize(`bEARER   ${apiKey}`, expiring)).toEqual(allowed);
  expect(await authorize(apiKey, {})).toEqual(allowed);
  const logged = line({ allowed: true, keyId: 'key-1', access: 'write' });
  expect(log).toEqual([logged, logged, logged]);
  // The read is consistent, because API Gateway would cache that a new key was not found.
  const input = { TableName: 'keys', Key: { keyHash: { S: keyHash } }, ConsistentRead: true };
  expect(dynamodb.received.map(({ body }) => body)).toEqual([input]);
});

test('tells the handlers what a key may do', async () => {
  const named = { access: { S: 'write' } };
  expect(await authorize(`Bearer ${apiKey}`, named)).toEqual(allowed);
  expect(await authorize(`Bearer ${apiKey}`, readOnly)).toEqual(
    policy('Allow', 'key-2', { access: 'read' }),
  );
  expect(log[1]).toEqual(line({ allowed: true, keyId: 'key-2', access: 'read' }));
});

test.each([
  { what: 'has an unknown access', attributes: { access: { S: 'admin' } } },
  {
    what: 'has an unknown access and an id for reading',
    attributes: { ...readOnly, access: { S: 'list' } },
  },
  { what: 'has an empty access', attributes: { access: { S: '' } } },
  { what: 'has an access that is not text', attributes: { access: { BOOL: true } } },
  { what: 'may read and has no id for that', attributes: { access: { S: 'read' } } },
  { what: 'may only read and has expired', attributes: { ...readOnly, expiresAt: { N: '1' } } },
  { what: 'may only read and is revoked', attributes: { ...readOnly, revokedAt: { N: '1' } } },
  { what: 'is revoked', attributes: { revokedAt: { N: '1' } } },
  { what: 'was revoked at an unreadable time', attributes: { revokedAt: { NULL: true } } },
  { what: 'has expired', attributes: { expiresAt: { N: String(now) } } },
  { what: 'has an unreadable expiry', attributes: { expiresAt: { NULL: true } } },
  { what: 'has no keyId', attributes: { keyId: undefined } },
  { what: 'has a number as its keyId', attributes: { keyId: { N: '1' } } },
  { what: 'was never issued', attributes: undefined },
])('denies a key that $what', async ({ attributes }) => {
  expect(await authorize(`Bearer ${apiKey}`, attributes)).toEqual(denied);
  expect(log).toEqual([line({ allowed: false })]);
  expect(dynamodb.received).toHaveLength(1);
});

test.each([
  `Bearer ${keyOfProd}`,
  'Bearer x',
  `Basic ${apiKey}`,
  `Bearer${apiKey}`,
  apiKey.replace('_', '_Bearer '),
])('denies without reading the table: %s', async (token) => {
  expect(await authorize(token, {})).toEqual(denied);
  expect(log).toEqual([line({ allowed: false })]);
  expect(dynamodb.received).toEqual([]);
});

describe("whose clock differs from DynamoDB's", () => {
  // An instance keeps the difference that it has learned. The other tests need one without any.
  afterEach(async () => {
    await authorize(`Bearer ${apiKey}`, {}, (found) => clockAhead(0, found));
  });

  // With the stock SDK, keys would expire by the machine's clock.
  test.each([
    { hours: 1, effect: 'Deny' },
    { hours: -1, effect: 'Allow' },
    { hours: 0, effect: 'Allow' },
  ])(
    "judges by DynamoDB's, $hours h ahead, whether a key has expired: $effect",
    async ({ hours, effect }) => {
      const expiring = { expiresAt: { N: String(now + 1_800) } };
      const authorized = await authorize(`Bearer ${apiKey}`, expiring, (found) =>
        clockAhead(hours * 3_600_000, found),
      );
      expect(authorized.policyDocument.Statement).toMatchObject([{ Effect: effect }]);
    },
  );
});

test('fails if it cannot check a key in time, and logs why', async () => {
  const deadline = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  // The time is over once the request is here, so that it cannot arrive during another test.
  await expect(authorize(`Bearer ${apiKey}`, {}, () => () => deadline.abort())).rejects.toThrow(
    /abort/,
  );
  // A second before Lambda would end the function.
  expect(timeout).toHaveBeenCalledWith(9_000);
  const error = {
    errorType: 'AbortError',
    errorMessage: expect.any(String),
    stack: expect.any(String),
  };
  expect(log).toEqual([
    expect.objectContaining({ ...line({ level: 'ERROR', ...error }), Faults: 1 }),
  ]);
});

test('each API key is unique, and not well-formed with any one character changed', () => {
  const keys = Array.from({ length: 100 }, () => createApiKey('staging'));
  expect(new Set(keys).size).toBe(100);
  expect(keys.filter((key) => isWellFormedApiKey(key, 'staging'))).toEqual(keys);

  const [key = ''] = keys;
  const typos = [...key].map(
    (character, i) => key.slice(0, i) + (character === 'a' ? 'b' : 'a') + key.slice(i + 1),
  );
  expect(typos.filter((typo) => isWellFormedApiKey(typo, 'staging'))).toEqual([]);
});
