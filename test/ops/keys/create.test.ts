import { expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import { keysStage, now, onLocal } from '../../support/ops/keys.ts';
import { petstore } from '../../support/ops/petstore.ts';

const stage = keysStage();

const create = ['create', '--name', 'shop'];
const saveIt = "Save this key; it won't be shown again:\n";

test('create prints nothing but the key on standard output, and stores its ID, not the key', async () => {
  expect(await stage.local(create)).toStrictEqual({
    code: 0,
    output: 'petstore_staging_KEY\n',
    errors: `${onLocal}Key NEW_ID may write, with no expiry. ${saveIt}`,
  });
  expect(await stage.records()).toStrictEqual([{ keyId: 'NEW_ID', name: 'shop', createdAt: now }]);
});

test('a read-only key that expires is stored so that an earlier version denies it', async () => {
  expect(await stage.local([...create, '--read-only', '--expires', '2d'])).toStrictEqual({
    code: 0,
    output: 'petstore_staging_KEY\n',
    errors: `${onLocal}Key NEW_ID may read, until 2027-01-17T08:00:00Z. ${saveIt}`,
  });
  expect(await stage.records()).toStrictEqual([
    {
      readOnlyKeyId: 'NEW_ID',
      access: 'read',
      name: 'shop',
      createdAt: now,
      expiresAt: now + 2 * 86_400,
    },
  ]);
});

test('create --json prints all of the key', async () => {
  const { output, ...rest } = await stage.local([...create, '--json']);
  expect(rest).toStrictEqual({
    code: 0,
    errors: `${onLocal}Key NEW_ID may write, with no expiry. ${saveIt}`,
  });
  expect(JSON.parse(output)).toStrictEqual({
    id: 'NEW_ID',
    name: 'shop',
    access: 'write',
    state: 'active',
    created: '2027-01-15T08:00:00Z',
    expires: null,
    revoked: null,
    key: 'petstore_staging_KEY',
  });
});

test('the key that is printed is the one whose hash is stored', async () => {
  const { output } = await petstore(['keys', ...create, '--local', '--port', stage.port()]);
  const { Items = [] } = await stage.client.scan({ TableName: stage.tables.apiKeys });
  expect(Items.map(({ keyHash }) => keyHash)).toStrictEqual([{ S: hashApiKey(output.trim()) }]);
});

test.each([
  { fails: 'ENOSPC', message: 'ENOSPC: no space left on device' },
  // For any other command, a reader who has left is no error.
  { fails: 'EPIPE', message: 'write EPIPE' },
] as const)('a key that cannot be printed is an error: $fails', async ({ fails, message }) => {
  expect(await stage.local(create, { fails })).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onLocal}Key NEW_ID may write, with no expiry. ${saveIt}` +
      `petstore: ${message}\nNobody has received key NEW_ID: revoke it.\n`,
  });
});

test('a key is issued once although the response to its write is lost', async () => {
  const writes = stage.loseFirst('PutItem');
  expect((await stage.local(create)).code).toBe(0);
  expect(writes()).toBeGreaterThan(1);
  expect(await stage.records()).toStrictEqual([{ keyId: 'NEW_ID', name: 'shop', createdAt: now }]);
});

const usage = (message: string) => ({
  code: 2,
  output: '',
  errors: `error: ${message}\n(--help shows how it is used)\n`,
});
const names = 'It must have 1 to 64 letters, digits, symbols or spaces, and not begin with --.';
const times = 'Write a duration such as 30m, 24h or 90d.';

test.each([
  { line: ['create'], message: "required option '--name <name>' not specified" },
  ...[
    ['  ', '  '],
    ['🧑‍🚀'.repeat(65), '🧑‍🚀'.repeat(65)],
    ['\u3000', '\\u3000'],
    ['a\tb', 'a\tb'],
    ['a\u001b[2Jb', 'a\\u001b[2Jb'],
    ['a\u200db', 'a\\u200db'],
    ['--read-only', '--read-only'],
  ].map(([name = '', shown]) => ({
    line: ['create', '--name', name],
    message: `option '--name <name>' argument '${shown}' is invalid. ${names}`,
  })),
  ...['', '0d', '90s', '100000d', '2027-01-31', '1.5h'].map((when) => ({
    line: [...create, '--expires', when],
    message: `option '--expires <when>' argument '${when}' is invalid. ${times}`,
  })),
])('$line is a usage error', async ({ line, message }) => {
  expect(await petstore(['keys', ...line, '--local'])).toStrictEqual(usage(message));
});

test('an API key is not taken for a name, and not shown', async () => {
  const line = ['create', '--name', createApiKey('prod'), '--local', '--port', stage.port()];
  const message =
    "option '--name <name>' argument 'petstore_prod_…' is invalid. " +
    'An API key is no name: names are stored, and shown to others.';
  expect(await petstore(['keys', ...line])).toStrictEqual(usage(message));
  expect(await stage.records()).toStrictEqual([]);
});

test.each([
  "-Ann's Größe 店 🐾",
  // Joined emoji: a woman astronaut, a family, a flag, a skin tone, a keycap.
  '👩‍🚀 👨‍👩‍👧‍👦 🇩🇪 👍🏽 1️⃣',
  '👨‍👩‍👧‍👦'.repeat(64),
  'e\u0301'.repeat(64),
])('a key may be named %s', async (name) => {
  expect((await stage.local(['create', '--name', name])).code).toBe(0);
  expect(await stage.records()).toStrictEqual([{ keyId: 'NEW_ID', name, createdAt: now }]);
});

test.each(['\u3000', '\u00a0', '\u202f'])('%j in a name becomes a usual space', async (space) => {
  await stage.local(['create', '--name', `ショップ${space}東京`]);
  expect(await stage.records()).toStrictEqual([
    { keyId: 'NEW_ID', name: 'ショップ 東京', createdAt: now },
  ]);
});
