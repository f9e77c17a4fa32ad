import { afterEach, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import type { OpsOptions } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, keys, json, create, show } = localKeys();

afterEach(() => void jest.restoreAllMocks());

const expires = '2999-01-31T00:00:00Z';
const [longAgo, longAgoText] = [1_700_000_000, '2023-11-14T22:13:20Z'];

test('create prints nothing but the key on standard output, and stores only its hash', async () => {
  const created = await keys(['create', '--name', 'shop']);
  const output = expect.stringMatching(/^petstore_staging_[0-9a-f]{48}\n$/);
  const errors = expect.stringMatching(
    /^Key [0-9a-f]+, with no expiry\. Save this key; it won't be shown again:\n$/,
  );
  expect(created).toEqual({ code: 0, output, errors });
  expect(JSON.stringify(await all())).not.toContain(
    created.output.slice('petstore_staging_'.length, -9),
  );
});

test('create --json prints everything about a key, and show and list print everything except the key itself', async () => {
  const { key, ...created } = await create('--expires', '2999-01-31');
  expect(key).toMatch(/^petstore_staging_[0-9a-f]{48}$/);
  const unset = { revoked: null, replaces: null, replacedBy: null };
  const id = expect.stringMatching(/^[0-9a-f]{16}$/);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(created).toEqual({ id, name: 'shop', state: 'active', created: time, expires, ...unset });
  expect(await show(created.id)).toEqual(created);

  const others = await Promise.all(Array.from({ length: 5 }, () => create()));
  const newer = others.map(({ key: _key, ...other }) => other);
  await change(created.id, { createdAt: longAgo });
  newer.sort((a, b) => (a.created + a.id < b.created + b.id ? -1 : 1));
  expect(await json('list')).toEqual([{ ...created, created: longAgoText }, ...newer]);
  const { output } = await keys(['list']);
  const [head, first, ...rows] = output.trimEnd().split('\n');
  expect(head).toMatch(
    /^ID {16}NAME {2}CREATED {15}EXPIRES {15}REVOKED {2}REPLACES {2}REPLACED BY$/,
  );
  expect(first?.split(/ {2,}/)).toEqual([created.id, 'shop', longAgoText, expires, '-', '-', '-']);
  expect(rows).toHaveLength(5);
  expect(output).not.toMatch(/petstore_|[0-9a-f]{17}/);
});

test('find says whose key it is and how to revoke it, and never prints it; a second revocation changes nothing', async () => {
  const { key, id } = await create();
  const found = (state: string) => ({
    code: 0,
    output: `Key ${id} ("shop") ${state}.\n`,
    errors: '',
  });
  const errors = `Revoke it: npx --no -- petstore keys revoke ${id} --now --local\n`;
  expect(await keys(['find'], { input: `${key}\n` })).toEqual({
    ...found('is active, with no expiry'),
    errors,
  });

  await change(id, { expiresAt: longAgo });
  expect(await keys(['find'], { input: key })).toEqual(found(`expired at ${longAgoText}`));

  const line = /^Key \w+ \("shop"\) was revoked at (\S+Z) and stops working within 60 seconds\.\n$/;
  const { output } = await keys(['revoke', id]);
  expect(await keys(['find'], { input: key })).toEqual(
    found(`was revoked at ${line.exec(output)?.[1]}`),
  );
  await change(id, { revokedAt: longAgo });
  const again = `Key ${id} ("shop") was revoked at ${longAgoText} and has stopped working.\n`;
  expect(await keys(['revoke', id])).toEqual({ code: 0, output: again, errors: '' });
  expect(JSON.parse((await keys(['find', '--json'], { input: key })).output)).toEqual(
    await show(id),
  );
});

test('stored text neither controls the terminal nor is run when a hint is pasted', async () => {
  const { key, id } = await create();
  await change(id, { keyId: '$(id)', name: '\u001b[2K\u009b' });
  const output = 'Key $(id) ("\\u001b[2K\\u009b") is active, with no expiry.\n';
  const errors = "Revoke it: npx --no -- petstore keys revoke '$(id)' --now --local\n";
  expect(await keys(['find'], { input: key })).toEqual({ code: 0, output, errors });
  expect(await json('list')).toMatchObject([{ name: '\u001b[2K\u009b' }]);
  await change('$(id)', { expiresAt: longAgo });
  expect((await keys(['rotate', '$(id)', '--overlap', '1h'])).errors).toMatch(
    / --name '\\u001b\[2K\\u009b' --local\n$/,
  );
});

const [ofStaging, ofProd] = [createApiKey('staging'), createApiKey('prod')];
const noKey =
  'petstore: This is not an API key. A key is petstore_STAGE_ followed by 48 hex digits.\n';
const elsewhere =
  'petstore: This is a key of prod, not of staging.\nLook there: npx --no -- petstore keys find --stage prod\n';
const prompt = 'API key (not shown): ';
const typed = (text: string): OpsOptions => ({ typed: { prompt: /: $/, text } });

test.each<[string, OpsOptions, number, string]>([
  ['a key of prod', { input: ofProd }, 5, elsewhere],
  [
    'a key that was never issued',
    { input: ofStaging },
    5,
    'petstore: This key was never issued here.\n',
  ],
  ['a typo', { input: ofStaging.replace(/.$/, 'x') }, 3, noKey],
  ['a megabyte', { input: 'x'.repeat(1_000_000) }, 3, noKey],
  ['Ctrl-D', typed('\x04'), 3, `${prompt}\n${noKey}`],
  ['Ctrl-C', typed('\x03'), 130, `${prompt}\npetstore: Interrupted. Nothing was changed.\n`],
])('find says what is wrong with %s', async (_name, settings, code, errors) => {
  expect(await keys(['find'], settings)).toEqual({ code, output: '', errors });
});

test('update changes only what its options name, and on prod asks only before it extends a key', async () => {
  const { key: _key, ...created } = await create();
  let expected: KeySummary = created;
  const update = async (changes: Partial<KeySummary>, ...options: string[]) => {
    expected = { ...expected, ...changes };
    const { output } = await stage.deployed([
      'keys',
      'update',
      created.id,
      ...options,
      '--stage',
      'prod',
      '--json',
    ]);
    expect(JSON.parse(output)).toEqual(expected);
    expect(await show(created.id)).toEqual(expected);
  };
  await update({ expires }, '--expires', '2999-01-31');
  await update({ name: 'x'.repeat(64) }, '--name', ` ${'x'.repeat(64)} `);
  await update({ name: 'Cy', expires: null }, '--name', 'Cy', '--expires', 'never', '--yes');
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

const see = 'See: npx --no -- petstore keys show ID --stage prod';
const another = 'Issue another: npx --no -- petstore keys create --name shop --stage prod';

test.each([
  [
    'update',
    'revoked',
    '--expires never',
    `was changed by somebody else just now; nothing was updated.\n${see}`,
  ],
  [
    'rotate',
    'revoked',
    '--overlap 1h',
    `was revoked or changed just now; nothing was issued in its place.\n${see}`,
  ],
  ['update', 'expired', '--expires never', `has expired.\n${another}`],
  ['rotate', 'expired', '--overlap 1h', `has expired.\n${another}`],
])(
  '%s on prod does not change a key that becomes %s while it asks',
  async (command, state, options, outcome) => {
    const { id, expires } = await create('--expires', '1d');
    const inTwoDays = Date.now() + 2 * 24 * 3_600_000;
    const expire = () => jest.spyOn(Date, 'now').mockReturnValue(inTwoDays);
    const before = async () =>
      state === 'expired' ? expire() : change(id, { revokedAt: longAgo });
    const typed = { prompt: / key \w+ \("shop"\) of prod.*\? \[y\/N\] /, text: 'y\r', before };
    const words = ['keys', command, id, ...options.split(' '), '--stage', 'prod'];
    const errors = expect.stringContaining(`\npetstore: Key ${id} ${outcome.replace('ID', id)}\n`);
    expect(await stage.deployed(words, { typed })).toEqual({ code: 4, output: '', errors });
    expect(await show(id)).toMatchObject({ state, expires });
    expect((await all()).filter(({ keyId, revokedAt }) => keyId !== id && !revokedAt)).toEqual([]);
  },
);

test('revoke works on a key that is renamed at the same time', async () => {
  const { id } = await create();
  stage.react = async ({ operation, forward }) => {
    if (operation === 'PutItem') {
      await change(id, { name: 'Bo' });
    }
    return forward();
  };
  expect(await json('revoke', id)).toMatchObject({ name: 'Bo', state: 'revoked' });
  expect(await show(id)).toMatchObject({ name: 'Bo', state: 'revoked' });
});

test.each([
  ['update --name x', 'is revoked', { revokedAt: longAgo }],
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

const commands = ['revoke', 'show', 'update --name x', 'rotate --overlap 1h'];
test.each(commands)(
  '%s does not repeat an unknown ID, because it may be a key',
  async (command) => {
    const errors =
      'petstore: No key has this ID.\nTo see the IDs: npx --no -- petstore keys list --local\n';
    expect(await keys([...command.split(' '), ofStaging])).toEqual({ code: 5, output: '', errors });
  },
);
