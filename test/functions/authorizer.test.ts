import { beforeAll, describe, expect, test } from '@jest/globals';
import { endKey, epochSeconds, issueApiKey } from '../../ops/keys/issued-keys.ts';
import { contract, errorAnswer, send } from '../http-client.ts';
import { type LocalRun, localRun } from '../local-run.ts';

const noKey = errorAnswer(401, 'unauthorized', 'Send an API key: Authorization: Bearer <API_KEY>.');
const badKey = errorAnswer(401, 'unauthorized', 'The API key is unknown, revoked or expired.');

describe('the API key', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const listWith = (authorization: string | undefined) =>
    send(run.baseUrl, {
      path: '/inventory',
      headers: authorization === undefined ? {} : { Authorization: authorization },
    });
  const patchWith = (authorization: string | undefined) =>
    send(run.baseUrl, {
      method: 'PATCH',
      path: '/inventory/1',
      headers: {
        'Content-Type': 'application/json',
        ...(authorization !== undefined && { Authorization: authorization }),
      },
      body: '{"quantity":999}',
    });
  const issue = async (stageName: string, end?: { expiresAt: number } | { revokedAt: number }) => {
    const table = { client: run.tables.client, TableName: run.tables.apiKeys };
    const { apiKey, record } = await issueApiKey(table, stageName, { name: 'test' });
    if (end) {
      await endKey(table, record, end);
    }
    return apiKey;
  };

  const expectRefused = async (authorization: string | undefined, refusal: object) => {
    const answers = [await listWith(authorization), await patchWith(authorization)];
    for (const answer of answers) {
      expect(contract(answer)).toEqual(refusal);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    const { body } = await run.send({ path: '/inventory' });
    expect((body as { quantity: bigint }[]).map(({ quantity }) => quantity)).not.toContain(999n);
  };

  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic x', 'Bearer nonsense', 'petstore_staging_'])(
    'is missing from the header %j: 401',
    (authorization) => expectRefused(authorization, noKey),
  );

  test('of the other stage: 401', async () => {
    await expectRefused(`Bearer ${await issue('prod')}`, noKey);
  });

  test.each([
    ['never issued', async () => 'petstore_staging_5bd1e8d3f7e9d3c1a2b4c6d8e0f1a3b5c7d9e1f2a5c10505'],
    ['mistyped', async () => (await issue('staging')).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
    ['revoked', () => issue('staging', { revokedAt: epochSeconds() })],
    ['expired', () => issue('staging', { expiresAt: epochSeconds() })],
  ])('%s: 401', async (_case, key) => {
    await expectRefused(`Bearer ${await key()}`, badKey);
  });

  test.each(['Bearer ', 'bearer ', 'BEARER   '])('opens both operations behind %j', async (scheme) => {
    const authorization = scheme + (await issue('staging', { expiresAt: epochSeconds() + 3600 }));

    expect((await listWith(authorization)).status).toBe(200);
    expect((await patchWith(authorization)).status).toBe(200);
    await run.send({
      method: 'PATCH',
      path: '/inventory/1',
      headers: { 'Content-Type': 'application/json' },
      body: '{"quantity":12}',
    });
  });
});
