import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createApiKey, isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import {
  clockAhead,
  respond,
  respondWithError,
  type Script,
  startDynamodb,
} from '../support/dynamodb/dynamodb.ts';
import { captureLog, errorFields, metrics } from '../support/functions/capture-log.ts';
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

/** The attributes of a key as an operator issues it. */
const issued = {
  keyHash: { S: keyHash },
  keyId: { S: 'key-1' },
  access: { S: 'write' },
  name: { S: 'test' },
  createdAt: { N: String(now - 1) },
};

const found = (attributes: object): Script =>
  respond(200, JSON.stringify({ Item: { ...issued, ...attributes } }));

/** Authorizes a token while DynamoDB follows a script. */
const authorize = (authorizationToken: string, script: Script) => {
  dynamodb.script(script);
  jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
  // The line feed is what the ARN would hold if API Gateway decoded a %0A.
  const methodArn = `${stage}PATCH/v1/inventory/1\n2`;
  return handler({ type: 'TOKEN', authorizationToken, methodArn }, contextWith(10_000));
};

const policy = (Effect: string, context: { keyId: string; access?: string }) => ({
  principalId: context.keyId,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Effect, Action: 'execute-api:Invoke', Resource: `${stage}*` }],
  },
  context,
});
const denied = policy('Deny', { keyId: 'unknown' });

const line = (fields: object) => ({
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  level: 'INFO',
  operation: 'authorize',
  durationMs: expect.any(Number),
  ...fields,
});

const expiresAt = (second: number | string) => ({ expiresAt: { N: String(second) } });

test.each([
  { what: 'to write', attributes: {} },
  { what: 'to read', attributes: { access: { S: 'read' } }, access: 'read' },
  { what: 'an expiry a second from now', attributes: expiresAt(now + 1) },
  { what: 'an expiry in nanoseconds', attributes: expiresAt('1800000000000000001') },
  { what: 'another spelling', attributes: {}, scheme: 'bEARER   ' },
  { what: 'no scheme', attributes: {}, scheme: '' },
])(
  'allows the bearer of an active key the whole stage, and logs the keyId: $what',
  async ({ attributes, scheme = 'Bearer ', access = 'write' }) => {
    const allowed = await authorize(scheme + apiKey, found(attributes));
    expect(allowed).toStrictEqual(policy('Allow', { keyId: 'key-1', access }));
    expect(log).toStrictEqual([line({ allowed: true, keyId: 'key-1', access })]);
    // The read is consistent, because API Gateway would cache that a new key was not found.
    expect(dynamodb.received.map(({ body }) => body)).toStrictEqual([
      { TableName: 'keys', Key: { keyHash: { S: keyHash } }, ConsistentRead: true },
    ]);
  },
);

const wrongType = { BOOL: true };
const keyId = 'key-1';
const unexpected = metrics({ UnexpectedRefusals: 1 });

test.each([
  // An operator has decided on these.
  { attributes: { revokedAt: { N: '1' } }, logged: { keyId, refused: 'revoked' } },
  { attributes: { revokedAt: wrongType }, logged: { keyId, refused: 'revoked' } },
  {
    attributes: { revokedAt: { N: '1' }, ...expiresAt(now) },
    logged: { keyId, refused: 'revoked' },
  },
  // But nobody on these, which ring an alarm.
  { attributes: expiresAt(now), logged: { keyId, refused: 'expired', ...unexpected } },
  ...[
    { expiresAt: wrongType },
    { access: { S: 'admin' } },
    { access: wrongType },
    { access: undefined },
  ].map((attributes) => ({ attributes, logged: { keyId, refused: 'unreadable', ...unexpected } })),
  ...[{ keyId: undefined }, { keyId: { N: '1' } }, { keyId: { S: '' } }].map((attributes) => ({
    attributes,
    logged: { refused: 'unreadable', ...unexpected },
  })),
])('denies a key with $attributes, and logs why', async ({ attributes, logged }) => {
  expect(await authorize(`Bearer ${apiKey}`, found(attributes))).toStrictEqual(denied);
  expect(log).toStrictEqual([line({ allowed: false, ...logged })]);
  expect(dynamodb.received).toHaveLength(1);
});

test('denies a key that was never issued', async () => {
  expect(await authorize(`Bearer ${apiKey}`, respond(200, '{}'))).toStrictEqual(denied);
  expect(log).toStrictEqual([line({ allowed: false, refused: 'unknown', ...unexpected })]);
  expect(dynamodb.received).toHaveLength(1);
});

test.each([
  `Bearer ${keyOfProd}`,
  'Bearer x',
  `Basic ${apiKey}`,
  `Bearer${apiKey}`,
  apiKey.replace('_', '_Bearer '),
])('denies without reading the table: %s', async (token) => {
  expect(await authorize(token, found({}))).toStrictEqual(denied);
  expect(log).toStrictEqual([line({ allowed: false, refused: 'malformed' })]);
  expect(dynamodb.received).toStrictEqual([]);
});

describe("whose clock differs from DynamoDB's", () => {
  // An instance keeps the difference that it has learned. The other tests need one without any.
  afterEach(async () => {
    await authorize(`Bearer ${apiKey}`, clockAhead(0, found({})));
  });

  // With the stock SDK, keys would expire by the machine's clock.
  test.each([
    { hours: 1, expected: denied },
    { hours: -1, expected: policy('Allow', { keyId: 'key-1', access: 'write' }) },
  ])("judges by DynamoDB's, $hours h ahead, if a key has expired", async ({ hours, expected }) => {
    const expiring = found({ expiresAt: { N: String(now + 1_800) } });
    const script = clockAhead(hours * 3_600_000, expiring);
    expect(await authorize(`Bearer ${apiKey}`, script)).toStrictEqual(expected);
  });
});

test('fails if it cannot check a key, so that nobody is let in, and logs why', async () => {
  const failed = authorize(`Bearer ${apiKey}`, respondWithError(400, 'AccessDeniedException'));
  await expect(failed).rejects.toThrow('Not a word of this to clients.');
  const error = errorFields('AccessDeniedException', 'Not a word of this to clients.');
  expect(log).toStrictEqual([
    line({ level: 'ERROR', ...error, ...metrics({ Faults: 1 }, ['Faults']) }),
  ]);
});

test('fails if it cannot check a key in time, and logs why', async () => {
  const deadline = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  // The time is over once the request is here, so that it cannot arrive during another test.
  const failed = authorize(`Bearer ${apiKey}`, () => deadline.abort());
  await expect(failed).rejects.toMatchObject({ name: 'AbortError' });
  // A second before Lambda would end the function.
  expect(timeout).toHaveBeenCalledWith(9_000);
  const cause = errorFields('AbortError', expect.any(String));
  const error = errorFields('AbortError', expect.any(String), cause);
  expect(log).toStrictEqual([
    line({ level: 'ERROR', ...error, ...metrics({ Faults: 1 }, ['Faults']) }),
  ]);
});

test('each API key is unique, and not well-formed with any one character changed', () => {
  const keys = Array.from({ length: 100 }, () => createApiKey('staging'));
  expect(new Set(keys).size).toBe(100);
  expect(keys.filter((key) => isWellFormedApiKey(key, 'staging'))).toStrictEqual(keys);

  const [key = ''] = keys;
  const typos = [...key].map(
    (character, i) => key.slice(0, i) + (character === 'a' ? 'b' : 'a') + key.slice(i + 1),
  );
  expect(typos.filter((typo) => isWellFormedApiKey(typo, 'staging'))).toStrictEqual([]);
});
