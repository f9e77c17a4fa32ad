import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { changeKey, type IssuedKey, issuedKeys } from '../../../ops/keys/issued-keys.ts';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { assembly } from '../../support/assembly.ts';
import { type LocalRun, startRun } from '../../support/local-run.ts';
import { ops, opsJson } from '../../support/ops.ts';

type Key = KeySummary & { key: string };

const hours = 3_600_000;
const isoSeconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe('petstore keys', () => {
  let run: LocalRun;
  beforeAll(async () => {
    // Its clock can be set forward, to see the authorizer's cache expire.
    const clock = join(import.meta.dirname, '../../support/clock.ts');
    run = await startRun(['--app', assembly], { NODE_OPTIONS: `--import=${clock}` });
  });

  const create = (name: string, ...options: string[]) =>
    opsJson('keys', 'create', '--name', name, ...options) as Promise<Key>;
  const list = () => opsJson('keys', 'list') as Promise<KeySummary[]>;
  const table = () => ({ client: run.tables.client, TableName: run.tables.apiKeys });
  const stored = async (id: string) => (await issuedKeys(table())).find(({ keyId }) => keyId === id) as IssuedKey;
  const statusWith = async (key: string) =>
    (await run.send({ path: '/inventory', headers: { Authorization: `Bearer ${key}` } })).status;
  const ahead = (time: string | null) => Date.parse(time ?? '') - Date.now();

  test('create prints a key that works, alone on standard output, and stores no more than its hash', async () => {
    const { code, output, errors } = await ops(['keys', 'create', '--name', 'shop', '--local']);
    expect(code).toBe(0);
    expect(output).toMatch(/^petstore_staging_[0-9a-f]{48}\n$/);
    expect(errors).toMatch(
      /^Stage: staging of the local run at http:\S+, account 000000000000\nKey [0-9a-f]{16}, without end\. Save this key; it won't be shown again:\n$/,
    );
    expect(await statusWith(output.trim())).toBe(200);

    const { Items } = await run.tables.client.send(new ScanCommand({ TableName: run.tables.apiKeys }));
    const secret = output.trim().replace('petstore_staging_', '');
    expect(JSON.stringify(Items)).not.toContain(secret.slice(0, 40));
  });

  test.each([
    ['90d', 90 * 24 * hours],
    ['36h', 36 * hours],
    ['45m', 0.75 * hours],
  ])('create --expires %s', async (expires, lifetime) => {
    const key = await create('for a while', '--expires', expires);
    expect(Math.abs(ahead(key.expires) - lifetime)).toBeLessThan(0.1 * hours);
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: 'for a while',
      created: expect.stringMatching(isoSeconds),
      expires: expect.stringMatching(isoSeconds),
      revoked: null,
      state: 'active',
      replaces: null,
      replacedBy: null,
      key: expect.stringMatching(/^petstore_staging_[0-9a-f]{48}$/),
    });
  });

  test.each([
    ['2999-01-31', '2999-01-31T00:00:00Z'],
    ['2999-01-31T12:00+02:00', '2999-01-31T10:00:00Z'],
  ])('create --expires %s', async (expires, time) => {
    expect((await create('until a date', '--expires', expires)).expires).toBe(time);
  });

  test.each([
    ['2020-01-31', 'It must be in the future.'],
    ['tomorrow', 'Write a duration as 24h or 90d, a date as 2027-01-31, or 2027-01-31T12:00:00Z.'],
    ['2999-02-29', 'Write a duration as 24h or 90d, a date as 2027-01-31, or 2027-01-31T12:00:00Z.'],
    ['2999-04-31T12:00Z', 'Write a duration as 24h or 90d, a date as 2027-01-31, or 2027-01-31T12:00:00Z.'],
    ['0d', 'Write a duration as 30m, 24h or 90d.'],
  ])('create rejects --expires %s', async (expires, reason) => {
    expect(await ops(['keys', 'create', '--name', 'x', '--expires', expires, '--local'])).toEqual({
      code: 2,
      output: '',
      errors:
        `petstore: option '--expires <when>' argument '${expires}' is invalid. ${reason}\n` +
        'Help: npx petstore keys create --help\n',
    });
  });

  test('list shows every key, the oldest first, and neither keys nor hashes', async () => {
    const { key, ...created } = await create('listed');
    const keys = await list();
    expect(keys.filter(({ id }) => id === created.id)).toEqual([created]);
    expect(keys.map(({ created: time }) => time)).toEqual(keys.map(({ created: time }) => time).sort());
    expect(keys.map(({ name }) => name)).toContain('petstore start');

    const { output } = await ops(['keys', 'list', '--local']);
    const [head, ...rows] = output.trimEnd().split('\n');
    expect(head).toMatch(/^ID +NAME +CREATED +EXPIRES +REVOKED +REPLACES +REPLACED BY$/);
    expect(rows).toHaveLength(keys.length);
    expect(rows.find((row) => row.startsWith(created.id))).toMatch(/^\S+ {2}listed +\S+Z {2}- +- +- +-$/);
    expect(output).not.toMatch(/petstore_|[0-9a-f]{17}/);
    expect(JSON.stringify(keys)).not.toContain(key.slice(-48));
  });

  test('revoke ends a key within the 60 seconds that its use may be cached', async () => {
    const { id, key } = await create('lost');
    expect(await statusWith(key)).toBe(200);
    const { output } = await ops(['keys', 'revoke', id, '--local']);
    expect(output).toMatch(/^Key \w+ \("lost"\) was revoked at \S+ and stops working within 60 seconds\.\n$/);
    expect(await statusWith(key)).toBe(200);

    run.process.kill('SIGUSR2');
    // Until the signal has come.
    while ((await statusWith(key)) !== 401) {}
  });

  test('revoke --now ends a key at once, though its use was cached', async () => {
    const { id, key } = await create('leaked');
    expect(await statusWith(key)).toBe(200);
    expect(await opsJson('keys', 'revoke', id, '--now')).toMatchObject({
      id,
      revoked: expect.stringMatching(isoSeconds),
    });
    expect(await statusWith(key)).toBe(401);
  });

  test('revoke keeps the time of the first revocation', async () => {
    const { id } = await create('twice');
    await changeKey(table(), await stored(id), { revokedAt: 1_700_000_000 });
    expect((await ops(['keys', 'revoke', id, '--local'])).output).toBe(
      `Key ${id} ("twice") was revoked at 2023-11-14T22:13:20Z and stops working within 60 seconds.\n`,
    );
  });

  test.each(['', ' ', 'two\nlines', '\u001b[31mred', 'x'.repeat(65)])('create rejects the name %j', async (name) => {
    const { code, output, errors } = await ops(['keys', 'create', '--name', name, '--local']);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain('It must have 1 to 64 letters, digits, symbols or spaces, on one line.');
  });

  test('show says of one key what list says', async () => {
    const { key: _key, ...created } = await create('shown', '--expires', '2999-01-31');
    expect(await opsJson('keys', 'show', created.id)).toEqual(created);
    expect((await ops(['keys', 'show', created.id, '--local'])).output).toBe(
      `Key ${created.id} ("shown") is active until 2999-01-31T00:00:00Z.\n`,
    );
  });

  describe('find', () => {
    const find = (input: string, ...options: string[]) => ops(['keys', 'find', '--local', ...options], { input });

    test('says whose a key is and how to revoke it, and never prints it', async () => {
      const { key, ...created } = await create('leaked');
      const { code, output, errors } = await find(`${key}\n`);
      expect({ code, output }).toEqual({ code: 0, output: `Key ${created.id} ("leaked") is active, without end.\n` });
      const [, command] = /^Revoke it: npx petstore (keys revoke .*)$/m.exec(errors) ?? [];
      expect(errors).not.toContain(key.slice(-48));
      expect((await ops((command ?? '').split(' '))).code).toBe(0);

      const revoked = await find(key, '--json');
      const { revoked: since } = (await list()).find(({ id }) => id === created.id) ?? {};
      expect(JSON.parse(revoked.output)).toEqual({ ...created, state: 'revoked', revoked: since });
      expect(revoked.errors).toMatch(/^Stage: .*\n$/);
    });

    test('knows a key that has expired', async () => {
      const { key, id } = await create('gone', '--expires', '1m');
      await changeKey(table(), await stored(id), { expiresAt: 1_700_000_000 });
      expect((await find(key)).output).toBe(`Key ${id} ("gone") is expired since 2023-11-14T22:13:20Z.\n`);
    });

    test.each([
      [
        'a key of prod',
        createApiKey('prod'),
        5,
        'This is a key of prod, not of staging.\nAsk there: npx petstore keys find --stage prod',
      ],
      ['a key that was never issued', createApiKey('staging'), 5, 'This key was never issued here.'],
      [
        'a typo',
        createApiKey('staging').replace(/.$/, 'x'),
        3,
        'This is not an API key. A key is petstore_STAGE_ and 48 hex digits.',
      ],
      ['nothing', '', 3, 'This is not an API key. A key is petstore_STAGE_ and 48 hex digits.'],
      ['a megabyte', 'x'.repeat(1_000_000), 3, 'This is not an API key. A key is petstore_STAGE_ and 48 hex digits.'],
    ])('says what is wrong with %s', async (_name, input, code, message) => {
      const found = await find(input);
      expect({ ...found, errors: found.errors.replace(/^Stage: .*\n/, '') }).toEqual({
        code,
        output: '',
        errors: `petstore: ${message}\n`,
      });
    });
  });

  test.each(['revoke', 'show', 'update', 'rotate'])(
    '%s repeats nothing of an ID that is none: it could be a key',
    async (command) => {
      const { key } = await create('mistaken');
      const more = { rotate: ['--overlap', '1h'], update: ['--name', 'x'] }[command] ?? [];
      const { code, output, errors } = await ops(['keys', command, key, ...more, '--local']);
      expect({ code, output }).toEqual({ code: 5, output: '' });
      expect(errors).toMatch(
        /^Stage: .*\npetstore: No key has this ID\.\nThe IDs are in: npx petstore keys list --local\n$/,
      );
    },
  );
});
