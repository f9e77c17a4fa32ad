import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { all, change, keys, create, json } = localKeys();

/** The commands that find a key by its ID, which comes last. */
const commands = ['revoke', 'update --name x', 'rotate --overlap 1h'];

test.each(commands)(
  '%s points to find if it is given a key, and does not repeat it',
  async (line) => {
    const { key } = await create();
    const errors =
      'petstore: This is an API key. Here, its ID is needed.\n' +
      'To find its ID: npx --no -- petstore keys find --local\n';
    expect(await keys([...line.split(' '), key])).toEqual({ code: 2, output: '', errors });
  },
);

test.each(commands)(
  '%s does not repeat an unknown ID, which may be part of a key',
  async (line) => {
    const digits = createApiKey('staging').slice(-48);
    const errors =
      'petstore: No key has this ID.\nTo see the IDs: npx --no -- petstore keys list --local\n';
    expect(await keys([...line.split(' '), digits])).toEqual({ code: 5, output: '', errors });
  },
);

test('the beginning of an ID finds no key', async () => {
  const { id } = await create();
  const before = await all();
  expect(await keys(['revoke', id.slice(0, -1)])).toMatchObject({ code: 5, output: '' });
  expect(await all()).toEqual(before);
});

test.each(commands)('%s changes nothing if two records have the ID', async (line) => {
  const [one, two] = [await create(), await create()];
  await change(two.id, { keyId: one.id });
  const before = await all();
  const errors = expect.stringContaining(`petstore: 2 keys have the ID ${one.id}.\n`);
  expect(await keys([...line.split(' '), one.id])).toEqual({ code: 4, output: '', errors });
  expect(await all()).toEqual(before);
});

test.each(commands)('%s takes the ID of a read-only key, which stays one', async (line) => {
  const { id } = await create('--read-only');
  expect(await keys([...line.split(' '), id])).toMatchObject({ code: 0 });
  const accesses = (await json('list')).map(({ access }: { access: string }) => access);
  expect(new Set(accesses)).toEqual(new Set(['read']));
});

const longAgo = 1_700_000_000;

test.each([
  { line: 'update --name x', changes: { revokedAt: longAgo }, state: 'is revoked' },
  { line: 'update --name x', changes: { expiresAt: longAgo }, state: 'has expired' },
  { line: 'update --name x', changes: { access: 'admin' }, state: 'is denied anyway' },
  { line: 'rotate --overlap 1h', changes: { revokedAt: longAgo }, state: 'is revoked' },
  { line: 'rotate --overlap 1h', changes: { expiresAt: longAgo }, state: 'has expired' },
  { line: 'rotate --overlap 1h', changes: { access: 'admin' }, state: 'is denied anyway' },
])('$line rejects a key that $state', async ({ line, changes, state }) => {
  const { id } = await create('--name', "Ann's shop");
  await change(id, changes);
  const before = await all();
  const hint = "Issue another: npx --no -- petstore keys create --name 'Ann'\\''s shop' --local";
  const errors = `petstore: Key ${id} ${state}.\n${hint}\n`;
  expect(await keys([...line.split(' '), id])).toEqual({ code: 4, output: '', errors });
  expect(await all()).toEqual(before);
});
