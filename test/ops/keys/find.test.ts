import { expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import { keysStage, now, onLocal, shop } from '../../support/ops/keys.ts';

const stage = keysStage();

const apiKey = createApiKey('staging');
const issued = { ...shop, keyHash: hashApiKey(apiKey) };

test.each([
  { record: issued, says: 'may write, with no expiry' },
  { record: { ...issued, expiresAt: now + 60 }, says: 'may write, until 2027-01-15T08:01:00Z' },
  { record: { ...issued, access: 'read' }, says: 'may read, with no expiry' },
  { record: { ...issued, expiresAt: now }, says: 'expired at 2027-01-15T08:00:00Z' },
  { record: { ...issued, revokedAt: now - 1 }, says: 'was revoked at 2027-01-15T07:59:59Z' },
])('find says that a key $says', async ({ record, says }) => {
  await stage.put(record);
  expect(await stage.local(['find'], { input: apiKey })).toStrictEqual({
    code: 0,
    output: `Key 1111111111111111 ("shop") ${says}.\n`,
    errors: onLocal,
  });
});

test('find --json prints what list --json does of the key', async () => {
  await stage.put(issued, { ...shop, keyId: '2222222222222222' });
  const list = JSON.parse((await stage.local(['list', '--json'])).output);
  const { output } = await stage.local(['find', '--json'], { input: apiKey });
  expect(JSON.parse(output)).toStrictEqual(
    list.find(({ id }: { id: string }) => id === issued.keyId),
  );
});

test.each([
  `${apiKey}\r\n`,
  `curl -H 'Authorization: bearer ${apiKey}' http://127.0.0.1:3000/`,
  `{"level":"INFO","authorization":"Bearer ${apiKey}","status":200}`,
  `%22${apiKey}%22`,
  `\ufeff${apiKey} ${apiKey}`,
])('the key is found in %j', async (input) => {
  await stage.put(issued);
  expect((await stage.local(['find'], { input })).output).toBe(
    'Key 1111111111111111 ("shop") may write, with no expiry.\n',
  );
});

const noKey = 'petstore: There is no API key in this: petstore_STAGE_ and 48 hex digits.\n';

test.each([
  { what: 'nothing', input: '', errors: noKey },
  { what: 'a key that is cut off', input: apiKey.slice(0, -1), errors: noKey },
  {
    what: 'a key of another stage',
    input: createApiKey('prod'),
    errors: 'petstore: This is the key of another stage, not of staging.\n',
  },
  {
    what: 'two keys, of which one is there twice',
    input: [apiKey, createApiKey('prod'), apiKey].join('\n'),
    errors: 'petstore: There are 2 API keys in this. Find them one at a time.\n',
  },
  {
    what: 'a key that was never issued',
    input: createApiKey('staging'),
    errors: 'petstore: This key was never issued for staging.\n',
  },
])('find says what is wrong with $what', async ({ input, errors }) => {
  expect(await stage.local(['find'], { input })).toStrictEqual({
    code: 1,
    output: '',
    errors: onLocal + errors,
  });
});

test('a stored name cannot control the terminal, and no line of it looks like another key', async () => {
  await stage.put({ ...issued, name: 'a\u001b[2K\nKey 2' });
  expect((await stage.local(['find'], { input: apiKey })).output).toBe(
    'Key 1111111111111111 ("a\\u001b[2K\\u000aKey 2") may write, with no expiry.\n',
  );
});
