import { beforeAll, describe, expect, test } from '@jest/globals';
import { type IssuedKey, issuedKeys, revokeKey } from '../../../ops/keys/issued-keys.ts';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { awsAround } from '../../support/fake-aws.ts';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { type OpsOptions, ops, opsJson } from '../../support/ops.ts';

describe('petstore keys update', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const create = async (name: string, ...options: string[]) => {
    const { key: _key, ...created } = (await opsJson('keys', 'create', '--name', name, ...options)) as KeySummary & {
      key: string;
    };
    return created;
  };
  const show = (id: string) => opsJson('keys', 'show', id) as Promise<KeySummary>;
  const update = (id: string, ...options: string[]) => ops(['keys', 'update', id, ...options]);

  const expires = '2999-01-31T00:00:00Z';

  test.each<[string[], Partial<KeySummary>, string]>([
    [['--name', 'Ann'], { name: 'Ann' }, '("Ann") is active until 2999-01-31T00:00:00Z.'],
    [
      ['--expires', '2998-01-01'],
      { expires: '2998-01-01T00:00:00Z' },
      '("kept") is active until 2998-01-01T00:00:00Z.',
    ],
    [['--expires', 'never'], { expires: null }, '("kept") is active, without end.'],
    [
      ['--name', 'Bo', '--expires', '3000-01-01'],
      { name: 'Bo', expires: '3000-01-01T00:00:00Z' },
      '("Bo") is active until 3000-01-01T00:00:00Z.',
    ],
  ])('%j changes that alone', async (options, changes, line) => {
    const created = await create('kept', '--expires', expires);
    expect(await update(created.id, ...options, '--local')).toMatchObject({
      code: 0,
      output: `Key ${created.id} ${line}\n`,
    });
    expect(await show(created.id)).toEqual({ ...created, ...changes });
  });

  test('gives an endless key an end', async () => {
    const created = await create('endless');
    expect(await opsJson('keys', 'update', created.id, '--expires', expires)).toEqual({ ...created, expires });
  });

  test('wants to know what to change', async () => {
    expect(await update('x', '--local')).toEqual({
      code: 2,
      output: '',
      errors: 'petstore: Say what to change: --name, --expires or both.\n',
    });
  });

  test.each([
    ['revoked', (id: string) => opsJson('keys', 'revoke', id), /^petstore: Key \w+ is revoked\.\nIssue another: /m],
    [
      'replaced',
      (id: string) => opsJson('keys', 'rotate', id, '--overlap', '1h'),
      /^petstore: Key \w+ is replaced by (\w+)\.\nSee: npx petstore keys show \1 --local\n$/m,
    ],
  ])('rejects a key that is %s', async (state, end, message) => {
    const { id } = await create(state);
    await end(id);
    const before = await show(id);
    const { code, output, errors } = await update(id, '--name', 'x', '--local');
    expect({ code, output }).toEqual({ code: 4, output: '' });
    expect(errors).toMatch(message);
    expect(await show(id)).toEqual(before);
  });

  describe('of prod', () => {
    const onProd = async (id: string, options: string[], settings: OpsOptions = {}) => {
      const aws = await awsAround(run);
      const result = await ops(['keys', 'update', id, ...options, '--stage', 'prod'], {
        ...settings,
        env: aws.environment,
      });
      await aws.close();
      return result;
    };

    test.each([['3000-01-01'], ['never']])('asks before a later end (%s)', async (later) => {
      const created = await create('asked', '--expires', expires);
      const { code, errors } = await onProd(created.id, ['--expires', later]);
      expect(code).toBe(7);
      expect(errors).toContain(`petstore: Let key ${created.id} ("asked") of prod work longer?\n`);
      expect(await show(created.id)).toEqual(created);
    });

    test('takes an earlier end and a name without asking', async () => {
      const created = await create('not asked', '--expires', expires);
      expect((await onProd(created.id, ['--expires', '2998-01-01', '--name', 'renamed'])).code).toBe(0);
      expect(await show(created.id)).toEqual({ ...created, name: 'renamed', expires: '2998-01-01T00:00:00Z' });
    });

    test('leaves a key that is revoked while it asks', async () => {
      const { id } = await create('meanwhile', '--expires', expires);
      const table = { client: run.tables.client, TableName: run.tables.apiKeys };
      const key = (await issuedKeys(table)).find(({ keyId }) => keyId === id) as IssuedKey;
      const before = () => revokeKey(table, key);
      const { code, output, errors } = await onProd(id, ['--expires', 'never'], {
        typed: { prompt: /work longer\? \[y\/N\] /, text: 'y\r', before },
      });
      expect({ code, output }).toEqual({ code: 4, output: '' });
      expect(errors).toMatch(
        /was changed by somebody else just now; nothing was updated\.\nSee: npx petstore keys show \w+ --stage prod\n$/,
      );
      expect(await show(id)).toMatchObject({ state: 'revoked', expires });
    });
  });
});
