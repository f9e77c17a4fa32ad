import { beforeAll, describe, expect, test } from '@jest/globals';
import { epochSeconds, type IssuedKey, issuedKeys, revokeKey } from '../../../ops/keys/issued-keys.ts';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { dynamodbProxy, type Passing } from '../../support/dynamodb-proxy.ts';
import { awsAround } from '../../support/fake-aws.ts';
import { ended, type LocalRun, localRun } from '../../support/local-run.ts';
import { ops, opsJson, spawnOps } from '../../support/ops.ts';

type Key = KeySummary & { key: string };

const hours = 3_600_000;

describe('petstore keys rotate', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const table = () => ({ client: run.tables.client, TableName: run.tables.apiKeys });
  const create = (name: string, ...options: string[]) =>
    opsJson('keys', 'create', '--name', name, ...options) as Promise<Key>;
  const rotateJson = (id: string, ...options: string[]) => opsJson('keys', 'rotate', id, ...options) as Promise<Key>;
  const rotate = (id: string, ...options: string[]) =>
    ops(['keys', 'rotate', id, '--overlap', '24h', '--local', ...options]);
  const show = (id: string) => opsJson('keys', 'show', id) as Promise<KeySummary>;
  const stored = async (id: string) => (await issuedKeys(table())).find(({ keyId }) => keyId === id) as IssuedKey;
  const statusWith = async (key: string) =>
    (await run.send({ path: '/inventory', headers: { Authorization: `Bearer ${key}` } })).status;
  const ahead = (time: string | null) => Date.parse(time ?? '') - Date.now();
  const keysNamed = async (name: string) => (await issuedKeys(table())).filter((key) => key.name === name);
  const works = ({ revokedAt, expiresAt = Infinity }: IssuedKey) =>
    revokedAt === undefined && expiresAt > epochSeconds();

  test('issues a key of the same name and lifetime, and ends the old one after the overlap', async () => {
    const old = await create('rotated', '--expires', '90d');
    const rotated = await rotateJson(old.id, '--overlap', '24h');
    expect(rotated).toMatchObject({ name: 'rotated', state: 'active', replaces: old.id, replacedBy: null });
    expect(Math.abs(ahead(rotated.expires) - 90 * 24 * hours)).toBeLessThan(0.1 * hours);

    const kept = await show(old.id);
    expect(kept).toMatchObject({ state: 'active', replacedBy: rotated.id });
    expect(Math.abs(ahead(kept.expires) - 24 * hours)).toBeLessThan(0.1 * hours);
    expect([await statusWith(old.key), await statusWith(rotated.key)]).toEqual([200, 200]);

    const { output } = await ops(['keys', 'list', '--local']);
    expect(output).toMatch(new RegExp(`^${old.id} .* ${rotated.id}$`, 'm'));
    expect(output).toMatch(new RegExp(`^${rotated.id} .* ${old.id} +-$`, 'm'));
  });

  test('says when both keys end', async () => {
    const { id } = await create('endless');
    const { output, errors } = await rotate(id);
    expect(output).toMatch(/^petstore_staging_[0-9a-f]{48}\n$/);
    expect(errors).toMatch(
      new RegExp(
        `\nKey ${id} works until \\S+Z\\. In its place:\nKey [0-9a-f]{16}, without end\\. Save this key; it won't be shown again:\n$`,
      ),
    );
  });

  test('never prolongs the old key', async () => {
    const old = await create('short', '--expires', '1h');
    await rotateJson(old.id, '--overlap', '24h', '--expires', '30d');
    expect((await show(old.id)).expires).toBe(old.expires);
  });

  test('rejects a key that has ended', async () => {
    const { id } = await create("Ann's shop");
    await opsJson('keys', 'revoke', id);
    const before = await issuedKeys(table());
    const { code, output, errors } = await rotate(id);
    expect({ code, output }).toEqual({ code: 4, output: '' });
    expect(errors).toMatch(
      /petstore: Key \w+ is revoked\.\nIssue another: npx petstore keys create --name 'Ann'\\''s shop' --local\n$/,
    );
    expect(await issuedKeys(table())).toEqual(before);
  });

  test.each(['90d', undefined])(
    'rotates a replaced key with --force alone, to the same lifetime (%s)',
    async (lifetime) => {
      const name = `replaced ${lifetime}`;
      const old = await create(name, ...(lifetime ? ['--expires', lifetime] : []));
      const first = await rotateJson(old.id, '--overlap', '24h');
      const { code, output, errors } = await rotate(old.id);
      expect({ code, output }).toEqual({ code: 4, output: '' });
      expect(errors.split('\n').slice(1)).toEqual([
        `petstore: Key ${old.id} was rotated before: ${first.id} was issued in its place.`,
        `--force issues another; to rotate that one: npx petstore keys rotate ${first.id} --overlap 1440m --local`,
        '',
      ]);
      expect(await keysNamed(name)).toHaveLength(2);

      const second = await rotateJson(old.id, '--overlap', '12h', '--force');
      expect(second.expires && Math.round(ahead(second.expires) / hours)).toBe(lifetime ? 90 * 24 : null);
      expect(await show(old.id)).toMatchObject({ replacedBy: second.id });
      expect(Math.round(ahead((await show(old.id)).expires) / hours)).toBe(12);
      expect((await show(first.id)).state).toBe('active');
    },
  );

  /** Options of a process whose requests to the tables pass a proxy, on a deployed stage. */
  const throughProxy = async (react: (passing: Passing) => Promise<{ status: number; body: unknown } | undefined>) => {
    const proxy = await dynamodbProxy(run.tables.endpoint, react);
    const aws = await awsAround(run);
    return {
      env: { ...aws.environment, AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint },
      close: () => Promise.all([aws.close(), proxy.close()]),
    };
  };
  const isWrite = (operation: string) => /^(Put|Update)Item$/.test(operation);

  test.each([1, 2, 3])('killed after write %i, is repeated without --force, and leaves one new key', async (last) => {
    const name = `killed after ${last}`;
    const old = await create(name);
    let writes = 0;
    const { env, close } = await throughProxy(async ({ operation, forward }) => {
      const reaction = await forward();
      writes += isWrite(operation) ? 1 : 0;
      if (writes === last) {
        child.kill('SIGKILL');
        return undefined;
      }
      return reaction;
    });
    const child = spawnOps(['keys', 'rotate', old.id, '--overlap', '24h', '--stage', 'staging'], { env });
    const killed = await ended(child);
    await close();
    expect(killed).toMatchObject({ code: null, output: last === 3 ? expect.stringMatching(/^petstore_/) : '' });
    expect(await statusWith(old.key)).toBe(200);
    const [broken] = (await keysNamed(name)).filter(({ keyId }) => keyId !== old.id);

    const again = await rotate(old.id);
    if (last === 3) {
      // The last write says that the key was printed: this rotation was complete.
      expect(again).toMatchObject({ code: 4, output: '' });
    } else {
      expect(again).toMatchObject({ code: 0, output: expect.stringMatching(/^petstore_/) });
      expect(again.errors).toContain(`Key ${broken?.keyId}, of a rotation that broke off, is revoked.\n`);
    }
    const working = (await keysNamed(name)).filter(works);
    const { replacedBy } = await show(old.id);
    expect(working.map(({ keyId }) => keyId).sort()).toEqual([old.id, replacedBy].sort());
    expect(await statusWith((last === 3 ? killed : again).output.trim())).toBe(200);
  });

  test.each([1, 2, 3])('a lost response to write %i changes nothing', async (lost) => {
    const old = await create(`lost ${lost}`);
    let writes = 0;
    const { env, close } = await throughProxy(async ({ operation, forward }) => {
      const reaction = await forward();
      writes += isWrite(operation) ? 1 : 0;
      return isWrite(operation) && writes === lost ? undefined : reaction;
    });
    const { code, output } = await ops(['keys', 'rotate', old.id, '--overlap', '24h', '--stage', 'staging'], { env });
    await close();
    expect({ code, writes }).toEqual({ code: 0, writes: 4 });
    expect(await statusWith(output.trim())).toBe(200);
    expect((await keysNamed(`lost ${lost}`)).filter(works)).toHaveLength(2);
  });

  test('of prod fails if the key is revoked while it asks', async () => {
    const old = await create('revoked meanwhile');
    const { env, close } = await throughProxy(({ forward }) => forward());
    const { code, output, errors } = await ops(['keys', 'rotate', old.id, '--overlap', '24h', '--stage', 'prod'], {
      env,
      typed: {
        prompt: /Rotate key \w+ \("revoked meanwhile"\) of prod\? \[y\/N\] /,
        text: 'y\r',
        before: async () => revokeKey(table(), await stored(old.id)),
      },
    });
    await close();
    expect({ code, output }).toEqual({ code: 4, output: '' });
    expect(errors).toMatch(
      new RegExp(
        `petstore: Key ${old.id} was revoked or changed just now; nothing was issued in its place\\.\n` +
          `See: npx petstore keys show ${old.id} --stage prod\n$`,
      ),
    );
    expect((await keysNamed('revoked meanwhile')).filter(works)).toEqual([]);
  });

  test('twice at the same time leaves one new key that works, and says so', async () => {
    const old = await create('at once');
    const results = await Promise.all([rotate(old.id), rotate(old.id)]);
    expect(results.map(({ code }) => code).sort()).toEqual([0, 4]);
    const [printed] = results.filter(({ code }) => code === 0).map(({ output }) => output.trim());
    expect((await keysNamed('at once')).filter(works)).toHaveLength(2);
    expect(await statusWith(printed ?? '')).toBe(200);
  });
});
