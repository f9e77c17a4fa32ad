import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { ops, opsJson } from '../../support/ops.ts';

interface Key {
  id: string;
  name: string;
  created: string;
  expires: string | null;
  revoked: string | null;
  key: string;
}

const hours = 3_600_000;
const isoSeconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe('ops keys', () => {
  let run: LocalRun;
  beforeAll(async () => {
    // Its clock can be set forward, to see the authorizer's cache expire.
    process.env.NODE_OPTIONS = `--import=${join(import.meta.dirname, '../../support/clock.ts')}`;
    run = await localRun();
    delete process.env.NODE_OPTIONS;
  });

  const create = (name: string, ...options: string[]) =>
    opsJson('keys', 'create', '--name', name, ...options) as Promise<Key>;
  const list = () => opsJson('keys', 'list') as Promise<Omit<Key, 'key'>[]>;
  const statusWith = async (key: string) =>
    (await run.send({ path: '/inventory', headers: { Authorization: `Bearer ${key}` } })).status;
  const ahead = (time: string | null) => Date.parse(time ?? '') - Date.now();

  test('create prints a key that works, alone on standard output, and stores no more than its hash', async () => {
    const { code, output, errors } = await ops(['keys', 'create', '--name', 'shop', '--local']);
    expect(code).toBe(0);
    expect(output).toMatch(/^petstore_staging_[0-9a-f]{48}\n$/);
    expect(errors).toMatch(
      /^Stage: staging of the local run at http:\S+, account 000000000000\nKey [0-9a-f]{16}, without end\. Keep it now:\n$/,
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
  ])('create refuses --expires %s', async (expires, reason) => {
    expect(await ops(['keys', 'create', '--name', 'x', '--expires', expires, '--local'])).toEqual({
      code: 2,
      output: '',
      errors: `ops: option '--expires <when>' argument '${expires}' is invalid. ${reason}\n`,
    });
  });

  test('list shows every key, the oldest first, and neither keys nor hashes', async () => {
    const { key, ...created } = await create('listed');
    const keys = await list();
    expect(keys.filter(({ id }) => id === created.id)).toEqual([created]);
    expect(keys.map(({ created: time }) => time)).toEqual(keys.map(({ created: time }) => time).sort());
    expect(keys.map(({ name }) => name)).toContain('npm start');

    const { output } = await ops(['keys', 'list', '--local']);
    const [head, ...rows] = output.trimEnd().split('\n');
    expect(head).toMatch(/^ID +NAME +CREATED +EXPIRES +REVOKED$/);
    expect(rows).toHaveLength(keys.length);
    expect(rows.find((row) => row.startsWith(created.id))).toMatch(/^\S+ {2}listed +\S+Z {2}- +-$/);
    expect(output).not.toMatch(/petstore_|[0-9a-f]{17}/);
    expect(JSON.stringify(keys)).not.toContain(key.slice(-48));
  });

  test('revoke ends a key within the 60 seconds that its use may be cached', async () => {
    const { id, key } = await create('lost');
    expect(await statusWith(key)).toBe(200);
    const { output } = await ops(['keys', 'revoke', id, '--local']);
    expect(output).toMatch(/^Key \w+ \("lost"\) is revoked since \S+ and stops working within 60 seconds\.\n$/);
    expect(await statusWith(key)).toBe(200);

    run.process.kill('SIGUSR2');
    await sleep(500);
    expect(await statusWith(key)).toBe(401);
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
    const first = (await opsJson('keys', 'revoke', id)) as Key;
    await sleep(1_100);
    expect(await opsJson('keys', 'revoke', id)).toEqual(first);
    expect((await ops(['keys', 'revoke', id, '--local'])).output).toBe(
      `Key ${id} ("twice") is revoked since ${first.revoked} and stops working within 60 seconds.\n`,
    );
  });

  test('rotate issues a key of the same name and lifetime, and ends the old one after the overlap', async () => {
    const old = await create('rotated', '--expires', '90d');
    const rotated = (await opsJson('keys', 'rotate', old.id, '--overlap', '24h')) as Key;
    expect(rotated).toMatchObject({ name: 'rotated', revoked: null, replaces: { id: old.id } });
    expect(Math.abs(ahead(rotated.expires) - 90 * 24 * hours)).toBeLessThan(0.1 * hours);
    expect(rotated.id).not.toBe(old.id);

    const kept = (await list()).find(({ id }) => id === old.id);
    expect(Math.abs(ahead(kept?.expires ?? null) - 24 * hours)).toBeLessThan(0.1 * hours);
    expect([await statusWith(old.key), await statusWith(rotated.key)]).toEqual([200, 200]);
  });

  test('rotate says when both keys end', async () => {
    const { id } = await create('endless');
    const { output, errors } = await ops(['keys', 'rotate', id, '--overlap', '24h', '--local']);
    expect(output).toMatch(/^petstore_staging_[0-9a-f]{48}\n$/);
    expect(errors).toMatch(
      new RegExp(`\nKey ${id} works until \\S+Z\\. In its place:\nKey [0-9a-f]{16}, without end\\. Keep it now:\n$`),
    );
  });

  test.each([{ lifetime: '90d' }, {}])('rotate again gives the same lifetime: %j', async ({ lifetime }) => {
    const old = await create('rotated twice', ...(lifetime ? ['--expires', lifetime] : []));
    await opsJson('keys', 'rotate', old.id, '--overlap', '24h');
    const { expires } = (await opsJson('keys', 'rotate', old.id, '--overlap', '12h')) as Key;
    const ends = (await list()).find(({ id }) => id === old.id)?.expires ?? null;
    expect(Math.abs(ahead(ends) - 12 * hours)).toBeLessThan(0.1 * hours);
    if (lifetime) {
      expect(Math.abs(ahead(expires) - 90 * 24 * hours)).toBeLessThan(0.1 * hours);
    } else {
      expect(expires).toBeNull();
    }
  });

  test.each(['', ' ', 'two\nlines', '\u001b[31mred', 'x'.repeat(65)])('create refuses the name %j', async (name) => {
    const { code, output, errors } = await ops(['keys', 'create', '--name', name, '--local']);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain('It must have 1 to 64 letters, digits, signs or spaces, in one line.');
  });

  test('rotate never prolongs the old key', async () => {
    const old = await create('short', '--expires', '1h');
    await opsJson('keys', 'rotate', old.id, '--overlap', '24h', '--expires', '30d');
    expect((await list()).find(({ id }) => id === old.id)?.expires).toBe(old.expires);
  });

  test('rotate refuses a key that has ended', async () => {
    const { id } = await create('ended');
    await opsJson('keys', 'revoke', id);
    const keys = await list();
    const { code, output, errors } = await ops(['keys', 'rotate', id, '--overlap', '24h', '--local']);
    expect({ code, output }).toEqual({ code: 4, output: '' });
    expect(errors).toMatch(/ops: Key \w+ has ended already\. Issue another: npm run ops -- keys create\n$/);
    expect(await list()).toEqual(keys);
  });

  test.each(['revoke', 'rotate'])('%s repeats nothing of an ID that is none: it could be a key', async (command) => {
    const { key } = await create('mistaken');
    const more = command === 'rotate' ? ['--overlap', '1h'] : [];
    const { code, output, errors } = await ops(['keys', command, key, ...more, '--local']);
    expect({ code, output }).toEqual({ code: 5, output: '' });
    expect(errors.split('\n').slice(1)).toEqual([
      'ops: No key has this ID. The IDs are in: npm run ops -- keys list',
      '',
    ]);
  });
});
