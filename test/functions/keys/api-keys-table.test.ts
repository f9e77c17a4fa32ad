import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { clientOf } from '../../support/dynamodb-clients.ts';
import { respond, ScriptedDynamodb } from '../../support/scripted-dynamodb.ts';

const dynamodb = new ScriptedDynamodb();
let findActiveKeyId: typeof import('../../../functions/keys/api-keys-table.ts').findActiveKeyId;
beforeAll(async () => {
  process.env.API_KEYS_TABLE_NAME = 'keys';
  (await clientOf(await dynamodb.listen())).destroy();
  ({ findActiveKeyId } = await import('../../../functions/keys/api-keys-table.ts'));
});
afterAll(() => dynamodb.close());

test('a key is read consistently, because what is found is kept', async () => {
  dynamodb.script(respond(200, '{}'));
  expect(await findActiveKeyId('hash', new AbortController().signal)).toBeUndefined();
  const [{ body } = {}] = dynamodb.received;
  expect(JSON.parse(body ?? '')).toEqual({ TableName: 'keys', Key: { keyHash: { S: 'hash' } }, ConsistentRead: true });
});

test('a key is active until the second in which it expires', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
  const found = (expiresAt: number) => {
    const Item = { keyId: { S: 'key-1' }, expiresAt: { N: String(expiresAt) } };
    dynamodb.script(respond(200, JSON.stringify({ Item })));
    return findActiveKeyId('hash', new AbortController().signal);
  };
  expect([await found(1_800_000_001), await found(1_800_000_000)]).toEqual(['key-1', undefined]);
  jest.restoreAllMocks();
});
