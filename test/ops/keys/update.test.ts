import { expect, test } from '@jest/globals';
import { keysStage, now, onLocal, shop } from '../../support/ops/keys.ts';

const stage = keysStage();

const id = '1111111111111111';
const { keyHash: _keyHash, ...stored } = shop;

test.each([
  { options: ['--name', 'Cy'], changes: { name: 'Cy' }, end: 'until 2027-01-16T08:00:00Z' },
  {
    options: ['--expires', '30m'],
    changes: { expiresAt: now + 1_800 },
    end: 'until 2027-01-15T08:30:00Z',
  },
  {
    options: ['--name', 'Cy', '--expires', 'never'],
    changes: { name: 'Cy', expiresAt: undefined },
    end: 'with no expiry',
  },
])('update with $options changes nothing else', async ({ options, changes, end }) => {
  const before = { ...shop, expiresAt: now + 86_400 };
  await stage.put(before);
  expect(await stage.local(['update', id, ...options])).toStrictEqual({
    code: 0,
    output: `Key ${id} ("${changes.name ?? 'shop'}") may write, ${end}.\n`,
    errors: onLocal,
  });
  const after = JSON.parse(JSON.stringify({ ...stored, expiresAt: now + 86_400, ...changes }));
  expect(await stage.records()).toStrictEqual([after]);
});

test('update without a change says what is missing', async () => {
  expect(await stage.local(['update', id])).toStrictEqual({
    code: 2,
    output: '',
    errors: 'error: say what to change: --name, --expires or both\n(--help shows how it is used)\n',
  });
});

test.each([
  { line: ['update', id, '--name', 'Cy'], changes: { revokedAt: now - 1 }, state: 'revoked' },
  { line: ['update', id, '--name', 'Cy'], changes: { expiresAt: now }, state: 'expired' },
  { line: ['rotate', id, '--overlap', '1h'], changes: { expiresAt: now }, state: 'expired' },
])('$line does not change a key that is $state', async ({ line, changes, state }) => {
  await stage.put({ ...shop, ...changes });
  expect(await stage.local(line)).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onLocal}petstore: Key ${id} is ${state}. Issue another with keys create.\n`,
  });
  expect(await stage.records()).toStrictEqual([{ ...stored, ...changes }]);
});

test('update keeps a revocation that happens while it asks', async () => {
  await stage.put(shop);
  const typed = async () => {
    await stage.put({ ...shop, revokedAt: now });
    return 'y\r';
  };
  const { output } = await stage.prod(['update', id, '--name', 'Cy'], { typed });
  expect(output).toBe(`Key ${id} ("Cy") was revoked at 2027-01-15T08:00:00Z.\n`);
  expect(await stage.records()).toStrictEqual([{ ...stored, name: 'Cy', revokedAt: now }]);
});

// What update, rotate and revoke share.
test.each([{ line: ['update', id, '--name', 'Cy'] }, { line: ['revoke', id] }])(
  '$line --json prints the key as list --json does',
  async ({ line }) => {
    await stage.put(shop);
    const { output } = await stage.local([...line, '--json']);
    expect(`[${output.trim()}]\n`).toBe((await stage.local(['list', '--json'])).output);
  },
);

test.each([
  { what: 'the beginning of an ID', given: id.slice(0, -1) },
  { what: 'an API key', given: `petstore_staging_${'0'.repeat(48)}` },
])('no key is found by $what, which is not repeated: it may be secret', async ({ given }) => {
  await stage.put(shop);
  expect(await stage.local(['revoke', given])).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onLocal}petstore: No key has this ID. keys list shows the IDs.\n`,
  });
  expect(await stage.records()).toStrictEqual([stored]);
});

test.each([
  { line: ['update', id, '--name', 'x'] },
  { line: ['update', id, '--expires', '1h'] },
  { line: ['revoke', id] },
])('$line does not bring back a key that is removed at the same time', async ({ line }) => {
  await stage.put(shop);
  stage.beforeFirst('UpdateItem', () => stage.remove(shop));
  expect(await stage.local(line)).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onLocal}petstore: Key ${id} was removed from the table just now.\n`,
  });
  expect(await stage.records()).toStrictEqual([]);
});
