import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { type OpsOptions, ops } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, keys, json, create, show } = localKeys();

const newId = expect.stringMatching(/^[0-9a-f]{16}$/);

test('create prints nothing but the key on standard output', async () => {
  expect(await keys(['create', '--name', 'shop'])).toEqual({
    code: 0,
    output: expect.stringMatching(/^petstore_staging_[0-9a-f]{48}\n$/),
    errors: expect.stringMatching(
      /^Key [0-9a-f]{16}, with no expiry\. Save this key; it won't be shown again:\n$/,
    ),
  });
});

test('create stores no digit of the key itself', async () => {
  const { key } = await create();
  const secret = key.slice('petstore_staging_'.length, -'checksum'.length);
  expect(JSON.stringify(await all())).not.toContain(secret);
});

test('create --json prints everything about a key, and list everything but the key', async () => {
  const { key, ...created } = await create('--expires', '2999-01-31');
  expect(key).toMatch(/^petstore_staging_[0-9a-f]{48}$/);
  expect(created).toEqual({
    id: newId,
    name: 'shop',
    access: 'write',
    state: 'active',
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    expires: '2999-01-31T00:00:00Z',
    revoked: null,
    replaces: null,
  });
  expect(await show(created.id)).toEqual(created);
});

test('create stores a key that may write as every version of the service knows it', async () => {
  await create();
  const [keyHash, createdAt] = [expect.any(String), expect.any(Number)];
  expect(await all()).toEqual([{ keyHash, keyId: newId, name: 'shop', createdAt }]);
});

test('create --read-only stores a key that an earlier version of the service denies', async () => {
  const { errors } = await keys(['create', '--name', 'dashboard', '--read-only']);
  expect(errors).toMatch(/^Key [0-9a-f]{16}, read-only, with no expiry\. Save this key; /);
  expect(await all()).toEqual([
    {
      keyHash: expect.any(String),
      readOnlyKeyId: newId,
      access: 'read',
      name: 'dashboard',
      createdAt: expect.any(Number),
    },
  ]);
  expect(await json('list')).toMatchObject([{ id: newId, access: 'read', state: 'active' }]);
});

const onProd = ['keys', 'create', '--name', 'dashboard', '--read-only', '--yes', '--stage', 'prod'];

test('create --read-only issues a key for a stage that enforces it', async () => {
  expect(await stage.deployed(onProd)).toMatchObject({ code: 0 });
  expect(await all()).toMatchObject([{ access: 'read' }]);
});

test.each([
  { value: undefined, what: 'was deployed from an earlier version' },
  { value: 'planned', what: 'says something else' },
])('create --read-only refuses for a stage that $what', async ({ value }) => {
  const aws = await stage.account();
  Object.assign(aws.stacks['prod-petstore-inventory']?.outputs ?? {}, { ReadOnlyKeys: value });
  expect(await ops(onProd, { env: aws.environment })).toEqual({
    code: 6,
    output: '',
    errors:
      'Stage: prod in account 111122223333, us-east-1\n' +
      'petstore: prod was deployed from a version that knows no read-only keys, ' +
      'and would accept this one for nothing.\n' +
      "Deploy this version first: npx cdk deploy 'prod/*'\n",
  });
  expect(await all()).toEqual([]);
});

test('on prod, create asks whether to issue a read-only key', async () => {
  const words = ['keys', 'create', '--name', 'dashboard', '--read-only', '--stage', 'prod'];
  const { code, errors } = await stage.deployed(words);
  expect(code).toBe(7);
  expect(errors).toContain(': Issue a read-only key named "dashboard" for prod?\n');
});

test('a key that cannot be printed is an error that says how to revoke it', async () => {
  const { code, errors } = await keys(['create', '--name', 'shop'], { isFull: true });
  const [record] = await all();
  expect({ code, errors }).toEqual({
    code: 1,
    errors:
      `Key ${record?.keyId}, with no expiry. Save this key; it won't be shown again:\n` +
      `petstore: Key ${record?.keyId} could not be printed: no space left on device.\n` +
      `Revoke it: npx --no -- petstore keys revoke ${record?.keyId} --local\n`,
  });
});

test('a key is issued although the response to its write is lost', async () => {
  const statuses: number[] = [];
  stage.react = async ({ operation, forward }) => {
    const response = await forward();
    const isLost = operation === 'PutItem' && statuses.push(response.status) === 1;
    return isLost ? undefined : response;
  };
  expect(await keys(['create', '--name', 'shop'])).toMatchObject({ code: 0 });
  expect(statuses).toEqual([200, 400]);
  expect(await all()).toHaveLength(1);
});

const [longAgo, longAgoText] = [1_700_000_000, '2023-11-14T22:13:20Z'];

test('find says whose key is in a line of a log, and how to revoke it', async () => {
  const { key, id } = await create();
  const input = `{"headers":{"authorization":"Bearer ${key}"},"status":200}\n`;
  expect(await keys(['find'], { input })).toEqual({
    code: 0,
    output: `Key ${id} ("shop") is active, with no expiry.\n`,
    errors: `Revoke it: npx --no -- petstore keys revoke ${id} --now --local\n`,
  });
});

test.each([
  { changes: { expiresAt: longAgo }, state: `expired at ${longAgoText}` },
  { changes: { revokedAt: longAgo }, state: `was revoked at ${longAgoText}` },
])('find tells that a key $state, and not how to revoke it', async ({ changes, state }) => {
  const { key, id } = await create();
  await change(id, changes);
  expect(await keys(['find'], { input: key })).toEqual({
    code: 0,
    output: `Key ${id} ("shop") ${state}.\n`,
    errors: '',
  });
});

test('find --json prints what list --json does', async () => {
  const { key, id } = await create('--read-only', '--expires', '1d');
  const { output } = await keys(['find', '--json'], { input: key });
  expect(JSON.parse(output)).toEqual(await show(id));
});

test('stored text neither controls the terminal nor is run when a hint is pasted', async () => {
  const { key, id } = await create();
  await change(id, { keyId: '$(id)', name: 'a\n\u001b[2K\u009b' });
  expect(await keys(['find'], { input: key })).toEqual({
    code: 0,
    output: 'Key $(id) ("a\\u000a\\u001b[2K\\u009b") is active, with no expiry.\n',
    errors: "Revoke it: npx --no -- petstore keys revoke '$(id)' --now --local\n",
  });
});

test('find shows a record without an ID, and does not say how to revoke it', async () => {
  const { key, id } = await create();
  await change(id, { keyId: undefined });
  expect(await keys(['find'], { input: key })).toEqual({
    code: 0,
    output: 'Key - ("shop") lacks an ID or a known access, so the service denies it everything.\n',
    errors: '',
  });
});

const [ofStaging, ofProd] = [createApiKey('staging'), createApiKey('prod')];
const typed = (text: string): OpsOptions => ({ typed: { prompt: /: $/, text } });
const prompt = 'API key (not shown): ';
const none =
  'petstore: There is no API key in this. ' +
  'A key is petstore_STAGE_ followed by 48 hex digits.\n';

test.each<{ what: string; settings: OpsOptions; code: number; errors: string }>([
  {
    what: 'a key of prod',
    settings: { input: ofProd },
    code: 5,
    errors:
      'petstore: This is a key of prod, not of staging.\n' +
      'Look there: npx --no -- petstore keys find --stage prod\n',
  },
  {
    what: 'a key that was never issued',
    settings: { input: ofStaging },
    code: 5,
    errors: 'petstore: This key was never issued here.\n',
  },
  { what: 'Ctrl-D', settings: typed('\x04'), code: 3, errors: `${prompt}\n${none}` },
  {
    what: 'Ctrl-C',
    settings: typed('\x03'),
    code: 130,
    errors: `${prompt}\npetstore: Interrupted. Nothing was changed.\n`,
  },
])('find says what is wrong with $what', async ({ settings, code, errors }) => {
  expect(await keys(['find'], settings)).toEqual({ code, output: '', errors });
});
