import { afterEach, expect, jest, test } from '@jest/globals';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, keys, json, create, show } = localKeys();

afterEach(() => void jest.restoreAllMocks());

const expires = '2999-01-31T00:00:00Z';
const longAgo = 1_700_000_000;
const day = 24 * 3_600_000;

test.each<[options: string[], changes: Partial<KeySummary>]>([
  [['--name', ' shop, Berlin '], { name: 'shop, Berlin' }],
  [['--expires', '2999-01-31'], { expires }],
  [['--expires', 'never'], { expires: null }],
  [['--name', 'Cy', '--expires', 'never'], { name: 'Cy', expires: null }],
])('update with %j changes nothing else', async (options, changes) => {
  const { key: _key, ...created } = await create('--expires', '1d');
  const expected = { ...created, ...changes };
  expect(await json('update', created.id, ...options)).toEqual(expected);
  expect(await show(created.id)).toEqual(expected);
});

test.each([
  ['45m', '2027-01-15T08:45:00Z'],
  ['36h', '2027-01-16T20:00:00Z'],
  ['90d', '2027-04-15T08:00:00Z'],
  ['2027-01-15T08:00:01Z', '2027-01-15T08:00:01Z'],
  ['2999-01-31', expires],
  ['2999-01-31T12:00+02:00', '2999-01-31T10:00:00Z'],
  ['never', null],
])('--expires accepts %s', async (text, end) => {
  const { id } = await create();
  jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2027, 0, 15, 8));
  expect(await json('update', id, '--expires', text)).toMatchObject({ expires: end });
});

const onProd = async (id: string, ...options: string[]) =>
  stage.deployed(['keys', 'update', id, ...options, '--stage', 'prod']);

test.each([
  ['no longer', ['--expires', '1h'], 0],
  ['under another name', ['--name', 'x'], 0],
  ['longer', ['--expires', '2d'], 7],
  ['for ever', ['--expires', 'never'], 7],
])('on prod, update of a key that works %s exits with %i', async (_effect, options, code) => {
  const { id } = await create('--expires', '1d');
  expect((await onProd(id, ...options)).code).toBe(code);
});

test.each([
  ['update', '--expires never', 'was changed by somebody else just now; nothing was updated.'],
  ['rotate', '--overlap 1h', 'was revoked or changed just now; nothing was issued in its place.'],
])('%s does not change a key that is revoked while it asks', async (command, options, outcome) => {
  const { id, expires: end } = await create('--expires', '1d');
  const typed = {
    prompt: /\[y\/N\] /,
    text: 'y\r',
    before: () => change(id, { revokedAt: longAgo }),
  };
  const words = ['keys', command, id, ...options.split(' '), '--stage', 'prod'];
  const see = `See: npx --no -- petstore keys show ${id} --stage prod`;
  const errors = expect.stringContaining(`\npetstore: Key ${id} ${outcome}\n${see}\n`);
  expect(await stage.deployed(words, { typed })).toEqual({ code: 4, output: '', errors });
  expect(await show(id)).toMatchObject({ state: 'revoked', expires: end });
});

test.each([
  ['update', '--expires never'],
  ['rotate', '--overlap 1h'],
])('%s does not change a key that expires while it asks', async (command, options) => {
  const { id } = await create('--expires', '1d');
  const before = async () => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * day);
  const typed = { prompt: /\[y\/N\] /, text: 'y\r', before };
  const stored = await all();
  const words = ['keys', command, id, ...options.split(' '), '--stage', 'prod'];
  const another = 'Issue another: npx --no -- petstore keys create --name shop --stage prod';
  const errors = expect.stringContaining(`\npetstore: Key ${id} has expired.\n${another}\n`);
  expect(await stage.deployed(words, { typed })).toEqual({ code: 4, output: '', errors });
  expect(await all()).toEqual(stored);
});

test.each([
  ['update --name x', 'is revoked', { revokedAt: longAgo }],
  ['update --name x', 'has expired', { expiresAt: longAgo }],
  ['rotate --overlap 1h', 'is revoked', { revokedAt: longAgo }],
  ['rotate --overlap 1h', 'has expired', { expiresAt: longAgo }],
])('%s rejects a key that %s', async (command, state, changes) => {
  const { id } = await create('--name', "Ann's shop");
  await change(id, changes);
  const before = await all();
  const hint = "Issue another: npx --no -- petstore keys create --name 'Ann'\\''s shop' --local";
  const errors = `petstore: Key ${id} ${state}.\n${hint}\n`;
  expect(await keys([...command.split(' '), id])).toEqual({ code: 4, output: '', errors });
  expect(await all()).toEqual(before);
});

test('update rejects a key that was replaced', async () => {
  const { id } = await create();
  await change(id, { replacedBy: 'c0ffee4be1c0ffee' });
  const before = await all();
  const see = 'See: npx --no -- petstore keys show c0ffee4be1c0ffee --local';
  expect(await keys(['update', id, '--name', 'x'])).toEqual({
    code: 4,
    output: '',
    errors: `petstore: Key ${id} is replaced by c0ffee4be1c0ffee.\n${see}\n`,
  });
  expect(await all()).toEqual(before);
});
