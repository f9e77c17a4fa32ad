import { afterEach, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, keys, json, create, show } = localKeys();

afterEach(() => void jest.restoreAllMocks());

const expires = '2999-01-31T00:00:00Z';
const [longAgo, longAgoText] = [1_700_000_000, '2023-11-14T22:13:20Z'];

test('create prints nothing but the key on standard output', async () => {
  const output = expect.stringMatching(/^petstore_staging_[0-9a-f]{48}\n$/);
  const errors = expect.stringMatching(
    /^Key [0-9a-f]{16}, with no expiry\. Save this key; it won't be shown again:\n$/,
  );
  expect(await keys(['create', '--name', 'shop'])).toEqual({ code: 0, output, errors });
});

test('create stores no digit of the key itself', async () => {
  const { key } = await create();
  const secret = key.slice('petstore_staging_'.length, -'checksum'.length);
  expect(JSON.stringify(await all())).not.toContain(secret);
});

test('create --json prints everything about a key', async () => {
  const { key, ...created } = await create('--expires', '2999-01-31');
  expect(key).toMatch(/^petstore_staging_[0-9a-f]{48}$/);
  const unset = { revoked: null, replaces: null, replacedBy: null };
  const id = expect.stringMatching(/^[0-9a-f]{16}$/);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(created).toEqual({ id, name: 'shop', state: 'active', created: time, expires, ...unset });
});

test('show prints everything about a key but the key itself', async () => {
  const { key: _key, ...created } = await create('--expires', '2999-01-31');
  expect(await show(created.id)).toEqual(created);
});

test('list prints every key, the oldest first', async () => {
  const issued = await Promise.all(Array.from({ length: 5 }, () => create()));
  const [oldest, ...newer] = issued.map(({ key: _key, ...summary }) => summary);
  await change(oldest?.id ?? '', { createdAt: longAgo });
  newer.sort((a, b) => (a.created + a.id < b.created + b.id ? -1 : 1));
  expect(await json('list')).toEqual([{ ...oldest, created: longAgoText }, ...newer]);
});

test('list prints a table, in which there is no key', async () => {
  const { id } = await create('--expires', '2999-01-31');
  const { output } = await keys(['list']);
  const [head, row, end] = output.split('\n');
  expect(head).toBe(
    'ID                NAME  STATE   CREATED     ENDS                  REPLACED BY',
  );
  expect(row).toMatch(new RegExp(`^${id}  shop  active  \\d{4}-\\d\\d-\\d\\d  ${expires}  -$`));
  expect(end).toBe('');
});

test.each([
  ['list', 3],
  ['list --active', 1],
])('%s prints %i keys if one of three works', async (command, count) => {
  const [revoked, expired, active] = [await create(), await create(), await create()];
  await change(revoked.id, { revokedAt: longAgo });
  await change(expired.id, { expiresAt: longAgo });
  const listed: { id: string }[] = await json(...command.split(' '));
  expect(listed).toHaveLength(count);
  expect(listed.map(({ id }) => id)).toContain(active.id);
});

test.each([
  [true, '\u001b[90m'],
  [false, ''],
])(
  'on a terminal: %p, list begins the line of a key that has ended with %j',
  async (onTerminal, color) => {
    const { id } = await create();
    await change(id, { revokedAt: longAgo });
    const { output } = await keys(['list'], { onTerminal });
    expect(output.split('\n')[1]?.split(id)[0]).toBe(color);
  },
);

test('stored text neither controls the terminal nor is run when a hint is pasted', async () => {
  const { key, id } = await create();
  await change(id, { keyId: '$(id)', name: 'a\n\u001b[2K\u009b' });
  expect(await keys(['find'], { input: key })).toEqual({
    code: 0,
    output: 'Key $(id) ("a\\u000a\\u001b[2K\\u009b") is active, with no expiry.\n',
    errors: "Revoke it: npx --no -- petstore keys revoke '$(id)' --now --local\n",
  });
});

test('JSON holds stored text exactly, in escapes that no terminal obeys', async () => {
  const { id } = await create();
  await change(id, { name: '\u001b[2K\u009b' });
  const { output } = await keys(['list', '--json']);
  expect(output.trim()).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(output)).toMatchObject([{ name: '\u001b[2K\u009b' }]);
});

const withId = ['show', 'revoke', 'update --name x', 'rotate --overlap 1h'];

test.each(withId)(
  '%s points to find if it is given a key, and does not repeat it',
  async (line) => {
    const { key } = await create();
    const errors =
      'petstore: This is an API key. Here, its ID is needed.\n' +
      'To find its ID: npx --no -- petstore keys find --local\n';
    expect(await keys([...line.split(' '), key])).toEqual({ code: 2, output: '', errors });
  },
);

test.each(withId)('%s does not repeat an unknown ID, which may be part of a key', async (line) => {
  const digits = createApiKey('staging').slice(-48);
  const errors =
    'petstore: No key has this ID.\nTo see the IDs: npx --no -- petstore keys list --local\n';
  expect(await keys([...line.split(' '), digits])).toEqual({ code: 5, output: '', errors });
});

test.each(withId)('%s does not take the beginning of an ID', async (line) => {
  const { id } = await create();
  const before = await all();
  expect(await keys([...line.split(' '), id.slice(0, -1)])).toMatchObject({ code: 5, output: '' });
  expect(await all()).toEqual(before);
});

test.each(withId)('%s changes nothing if two records have the ID', async (line) => {
  const [one, two] = [await create(), await create()];
  await change(two.id, { keyId: one.id });
  const before = await all();
  const errors = expect.stringContaining(`petstore: 2 keys have the ID ${one.id}.\n`);
  expect(await keys([...line.split(' '), one.id])).toEqual({ code: 4, output: '', errors });
  expect(await all()).toEqual(before);
});

test('list prints dashes for what a record that was written by hand lacks', async () => {
  const { client, TableName } = stage.apiKeys();
  await client.putItem({ TableName, Item: { keyHash: { S: 'x' }, expiresAt: { N: '1e30' } } });
  const { code, output } = await keys(['list']);
  expect({ code, row: output.split('\n')[1] }).toEqual({
    code: 0,
    row: '-   -     invalid  -        -     -',
  });
});

/** Stores a key that lacks what a hand has not written. Its other values are of wrong types. */
const writeByHand = async (): Promise<void> => {
  const { client, TableName } = stage.apiKeys();
  const Item = { keyHash: { S: 'x' }, keyId: { S: 'by-hand' }, name: { N: '7' } };
  await client.putItem({ TableName, Item });
};

test.each([
  { line: 'show by-hand', output: 'Key by-hand ("-") is active, with no expiry.\n' },
  {
    line: 'update by-hand --name shop',
    output: 'Key by-hand ("shop") is active, with no expiry.\n',
  },
  {
    line: 'revoke by-hand',
    output: expect.stringMatching(/^Key by-hand \("-"\) was revoked at \S+Z and stops working /),
  },
  {
    line: 'rotate by-hand --overlap 1h',
    output: expect.stringMatching(/^petstore_staging_[0-9a-f]{48}\n$/),
  },
])('$line works on a record without a time and with a wrong name', async ({ line, output }) => {
  await writeByHand();
  expect(await keys(line.split(' '))).toMatchObject({ code: 0, output });
});

test('a key that was written by hand is revoked if the command says so', async () => {
  await writeByHand();
  await keys(['revoke', 'by-hand']);
  expect(await all()).toMatchObject([{ keyId: 'by-hand', revokedAt: expect.any(Number) }]);
});

test('update rejects a key whose successor was written by hand as a number', async () => {
  const { id } = await create();
  await change(id, { replacedBy: 7 });
  expect(await keys(['update', id, '--name', 'x'])).toEqual({
    code: 4,
    output: '',
    errors:
      `petstore: Key ${id} is replaced by -.\n` +
      `See: npx --no -- petstore keys show ${id} --local\n`,
  });
});

test('every read of keys is consistent', async () => {
  const { id, key } = await create();
  const reads: object[] = [];
  stage.react = ({ operation, body, forward }) => {
    if (/^(Get|BatchGet|Scan|Query)/.test(operation)) {
      reads.push({ operation, isConsistent: body.ConsistentRead });
    }
    // The condition of every write fails, so that the key is read again.
    return operation === 'PutItem'
      ? Promise.resolve({ status: 400, body: { __type: 'x#ConditionalCheckFailedException' } })
      : forward();
  };
  await keys(['find'], { input: key });
  await keys(['update', id, '--name', 'x']);
  expect(reads).toEqual([
    { operation: 'GetItem', isConsistent: true },
    { operation: 'Scan', isConsistent: true },
    { operation: 'GetItem', isConsistent: true },
  ]);
});
