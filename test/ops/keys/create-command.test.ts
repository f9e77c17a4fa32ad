import { expect, test } from '@jest/globals';
import { ops } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, keys, json, create, show } = localKeys();

const id = expect.stringMatching(/^[0-9a-f]{16}$/);

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
    id,
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
  expect(await all()).toEqual([{ keyHash, keyId: id, name: 'shop', createdAt }]);
});

test('create --read-only stores a key that an earlier version of the service denies', async () => {
  const { errors } = await keys(['create', '--name', 'dashboard', '--read-only']);
  expect(errors).toMatch(/^Key [0-9a-f]{16}, read-only, with no expiry\. Save this key; /);
  expect(await all()).toEqual([
    {
      keyHash: expect.any(String),
      readOnlyKeyId: id,
      access: 'read',
      name: 'dashboard',
      createdAt: expect.any(Number),
    },
  ]);
  expect(await json('list')).toMatchObject([{ id, access: 'read', state: 'active' }]);
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
