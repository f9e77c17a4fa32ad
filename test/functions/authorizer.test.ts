import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { createApiKey, hashApiKey } from '../../functions/keys/api-key.ts';
import { captureLog } from '../support/capture-log.ts';
import { createTable, engineClient, engineEndpoint } from '../support/engine-table.ts';
import { contextWith, loadFunction } from '../support/functions.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('the authorizer', () => {
  let TableName: string;
  let authorize: (authorizationToken: string, milliseconds?: number) => Promise<APIGatewayAuthorizerResult>;
  let log: Record<string, unknown>[];

  beforeAll(async () => {
    TableName = await createTable('keyHash', 'S');
    const handler = await loadFunction(
      {
        AWS_ENDPOINT_URL_DYNAMODB: engineEndpoint,
        API_KEYS_TABLE_NAME: TableName,
      },
      () => import('../../functions/authorizer.ts'),
    );
    const methodArn = 'arn:aws:execute-api:eu-west-1:123456789012:api/staging/PATCH/v1/inventory/1';
    authorize = (authorizationToken, milliseconds = 10_000) =>
      handler({ type: 'TOKEN', authorizationToken, methodArn }, contextWith(milliseconds));
  });
  beforeEach(() => {
    log = captureLog();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const issue = async (attributes = {}, stageName = 'staging') => {
    const apiKey = createApiKey(stageName);
    const Item = { keyHash: { S: hashApiKey(apiKey) }, keyId: { S: 'key-1' }, name: { S: 'test' }, ...attributes };
    await engineClient.send(new PutItemCommand({ TableName, Item }));
    return apiKey;
  };
  const policy = (Effect: string, keyId: string) => ({
    principalId: keyId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect,
          Action: 'execute-api:Invoke',
          Resource: 'arn:aws:execute-api:eu-west-1:123456789012:api/staging/*',
        },
      ],
    },
    context: { keyId },
  });
  const line = (allowed: boolean, fields = {}) => ({
    timestamp: expect.any(String),
    level: 'INFO',
    operation: 'authorize',
    durationMs: expect.any(Number),
    allowed,
    ...fields,
  });

  test('allows the bearer of an active key the whole stage, and says whose key it is', async () => {
    expect(await authorize(`Bearer ${await issue()}`)).toEqual(policy('Allow', 'key-1'));
    expect(await authorize(`bEARER   ${await issue({ expiresAt: { N: String(now() + 60) } })}`)).toEqual(
      policy('Allow', 'key-1'),
    );
    expect(log).toEqual([
      // The first line of an instance counts its start.
      expect.objectContaining({ ...line(true, { keyId: 'key-1' }), ColdStarts: 1 }),
      line(true, { keyId: 'key-1' }),
    ]);
  });

  test.each([
    ['revoked', () => issue({ revokedAt: { N: '1' } })],
    ['revoked at a time that nobody can read', () => issue({ revokedAt: { S: 'yesterday' } })],
    ['expired', () => issue({ expiresAt: { N: String(now() - 1) } })],
    ['of an expiry that nobody can read', () => issue({ expiresAt: { S: 'tomorrow' } })],
    ['without a keyId', () => issue({ keyId: { N: '1' } })],
    ['of the other stage', () => issue({}, 'prod')],
    ['never issued', async () => createApiKey('staging')],
    ['malformed', async () => 'x'],
  ])('denies a key that is %s', async (_what, key) => {
    expect(await authorize(`Bearer ${await key()}`)).toEqual(policy('Deny', 'unknown'));
    expect(log).toEqual([line(false)]);
  });

  test.each(['Basic ', 'Bearer', '', 'Bearer: ', 'x Bearer '])('denies a key after %j', async (scheme) => {
    expect(await authorize(scheme + (await issue()))).toEqual(
      scheme === '' ? policy('Allow', 'key-1') : policy('Deny', 'unknown'),
    );
  });

  test('denies a key with a scheme in the middle of it', async () => {
    expect(await authorize((await issue()).replace('_', '_Bearer '))).toEqual(policy('Deny', 'unknown'));
    expect(log[0]?.durationMs).toBeLessThan(5_000);
  });

  test('fails if it cannot check a key, and logs why', async () => {
    const apiKey = await issue();
    await expect(authorize(`Bearer ${apiKey}`, 1_000)).rejects.toThrow(/abort|timeout/i);
    expect(log).toEqual([
      {
        timestamp: expect.any(String),
        level: 'ERROR',
        operation: 'authorize',
        durationMs: expect.any(Number),
        errorType: expect.stringMatching(/AbortError|TimeoutError/),
        errorMessage: expect.any(String),
        stack: expect.any(String),
      },
    ]);
  });
});
