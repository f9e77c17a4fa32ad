import { beforeAll, describe, expect, test } from '@jest/globals';
import { changeKey, epochSeconds, issueApiKey } from '../../ops/keys/issued-keys.ts';
import { contract, errorResponse } from '../support/http-client.ts';
import { type LocalRun, localRun } from '../support/local-run.ts';

const noKey = errorResponse(401, 'unauthorized', 'Send an API key: Authorization: Bearer <API_KEY>.');
const badKey = errorResponse(401, 'unauthorized', 'The API key is unknown, revoked or expired.');

/** Besides what every deployment is checked for: keys that only the table can tell apart. */
describe('an issued API key', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const listWith = (Authorization: string) => run.sendBare({ path: '/inventory', headers: { Authorization } });
  const patchWith = (Authorization: string) =>
    run.sendBare({
      method: 'PATCH',
      path: '/inventory/1',
      headers: { 'Content-Type': 'application/json', Authorization },
      body: '{"quantity":999}',
    });
  const issue = async (stageName: string, end?: { expiresAt: number } | { revokedAt: number }) => {
    const table = { client: run.tables.client, TableName: run.tables.apiKeys };
    const { apiKey, record } = await issueApiKey(table, stageName, { name: 'test' });
    if (end) {
      await changeKey(table, record, end);
    }
    return apiKey;
  };

  const expectRefused = async (authorization: string, refusal: object) => {
    const answers = [await listWith(authorization), await patchWith(authorization)];
    for (const answer of answers) {
      expect(contract(answer)).toEqual(refusal);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    const { body } = await run.send({ path: '/inventory' });
    expect((body as { quantity: bigint }[]).map(({ quantity }) => quantity)).not.toContain(999n);
  };

  test('of the other stage: 401', async () => {
    await expectRefused(`Bearer ${await issue('prod')}`, noKey);
  });

  test.each([
    ['revoked', () => issue('staging', { revokedAt: epochSeconds() })],
    ['expired', () => issue('staging', { expiresAt: epochSeconds() })],
  ])('%s: 401', async (_case, key) => {
    await expectRefused(`Bearer ${await key()}`, badKey);
  });

  test('not yet expired: opens both operations', async () => {
    const authorization = `Bearer ${await issue('staging', { expiresAt: epochSeconds() + 3600 })}`;

    expect((await listWith(authorization)).status).toBe(200);
    expect((await patchWith(authorization)).status).toBe(200);
  });
});
