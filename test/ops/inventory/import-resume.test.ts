import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dynamodbProxy } from '../../support/dynamodb-proxy.ts';
import { awsAround } from '../../support/fake-aws.ts';
import { ended, type LocalRun, localRun } from '../../support/local-run.ts';
import { ops, spawnOps } from '../../support/ops.ts';
import { emptyInventory, fileWith, importFile, inventoryCsv } from '../../support/ops-inventory.ts';

const size = 3_000;
const rows = (quantity: number) =>
  Array.from({ length: size }, (_value, i) => `${9_007_199_254_740_993n + BigInt(i)},${quantity},sold\n`).join('');
const csv = (quantity: number) => `petId,quantity,status\n${rows(quantity)}`;

describe('an import that is cut short', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });
  beforeEach(() => emptyInventory(run));

  const isPlanned = (file: string) => existsSync(file) && readFileSync(file, 'utf8').includes('{"planned":');

  /** Starts a command and returns once the journal says that it writes. */
  const startWriting = async (journal: string, ...options: string[]) => {
    const process = spawnOps(['inventory', ...options, '--local']);
    const result = ended(process);
    while (!isPlanned(journal) && process.exitCode === null) {
      await sleep(5);
    }
    return { process, result };
  };

  const resume = (journal: string) => ops(['inventory', 'resume', journal, '--local']);

  test.each([
    ['new entries', csv(1), 'fail', `${size} created`],
    ['entries in place of others', csv(2), 'replace', `${size} replaced`],
  ])(
    'by kills at random points, of %s, is resumed to a table equal to the file',
    async (_what, text, onConflict, done) => {
      if (onConflict === 'replace') {
        await importFile(fileWith(csv(1)));
      }
      const file = fileWith(text);
      const journal = `${file}.import`;
      let { process, result } = await startWriting(journal, 'import', file, '--on-conflict', onConflict);
      let kills = 0;
      for (; kills < 4; kills++) {
        await sleep(50 + Math.random() * 500);
        if (!process.kill('SIGKILL')) {
          break;
        }
        await once(process, 'exit');
        ({ process, result } = await startWriting(journal, 'resume', journal));
      }
      expect(kills).toBeGreaterThan(0);
      expect(await result).toMatchObject({
        code: 0,
        output: `${size.toLocaleString('en')} read: ${done.replace('3000', '3,000')}.\n`,
      });
      expect(await inventoryCsv(run)).toBe(text);
      expect(existsSync(journal)).toBe(false);
    },
  );

  test('by Ctrl-C says how to go on, and goes on where it was', async () => {
    const file = fileWith(csv(1));
    const { process, result } = await startWriting(`${file}.import`, 'import', file, '--json');
    await sleep(200);
    process.kill('SIGINT');
    const { code, output, errors } = await result;
    const { created, left, ...others } = JSON.parse(output);
    expect({ code, others }).toEqual({
      code: 130,
      others: { read: size, replaced: 0, unchanged: 0, skipped: 0, changed: 0, invalid: 0 },
    });
    expect(created + left).toBe(size);
    expect(left).toBeGreaterThan(0);
    expect(errors).toMatch(`ops: Interrupted. Resume: npm run ops -- inventory resume ${file}.import\n`);
    expect((await inventoryCsv(run)).split('\n')).toHaveLength(created + 2);

    let puts = 0;
    const proxy = await dynamodbProxy(run.tables.endpoint, ({ operation, forward }) => {
      puts += operation === 'PutItem' ? 1 : 0;
      return forward();
    });
    const aws = await awsAround(run);
    const env = { ...aws.environment, AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint };
    const resumed = await ops(['inventory', 'resume', `${file}.import`, '--stage', 'staging'], { env });
    proxy.close();
    await aws.close();
    expect(resumed).toMatchObject({ code: 0, output: '3,000 read: 3,000 created.\n' });
    expect(puts).toBe(left);
    expect(await inventoryCsv(run)).toBe(csv(1));
  });

  test('by Ctrl-C before it writes leaves nothing', async () => {
    const journal = `${fileWith('')}.import`;
    const process = spawnOps(['inventory', 'import', '-', '--journal', journal, '--local'], { input: null });
    const result = ended(process);
    while (!existsSync(journal)) {
      await sleep(5);
    }
    process.kill('SIGINT');
    const { code, output, errors } = await result;
    expect({ code, output }).toEqual({ code: 130, output: '' });
    expect(errors).toMatch(/\nops: Interrupted\. Nothing was written\.\n$/);
    expect(existsSync(journal)).toBe(false);
  });

  test('by a kill before it writes must be begun anew', async () => {
    const file = fileWith(csv(1));
    writeFileSync(
      `${file}.import`,
      '{"input":"x","stageName":"staging","tableId":"x","onConflict":"fail"}\n[2,"1",1,"so',
    );
    expect(await resume(`${file}.import`)).toMatchObject({
      code: 3,
      errors: `ops: ${file}.import was cut off before anything was written. Remove it and import again.\n`,
    });
  });

  test('is not begun a second time', async () => {
    const file = fileWith(csv(1));
    const { process, result } = await startWriting(`${file}.import`, 'import', file);
    process.kill('SIGKILL');
    await result;
    const before = readFileSync(`${file}.import`, 'utf8');
    const again = await importFile(file);
    expect(again).toEqual({
      code: 4,
      output: '',
      problems: [
        `ops: ${file}.import is there: this import was begun. Resume it: npm run ops -- inventory resume ${file}.import`,
        'Or remove the file, to begin anew.',
      ],
    });
    expect(readFileSync(`${file}.import`, 'utf8')).toBe(before);
  });

  test('is not resumed on another table', async () => {
    const file = fileWith(csv(1));
    const { process, result } = await startWriting(`${file}.import`, 'import', file);
    process.kill('SIGKILL');
    await result;
    const other = await localRun();
    const resumed = await ops([
      'inventory',
      'resume',
      `${file}.import`,
      '--local',
      '--port',
      new URL(other.baseUrl).port,
    ]);
    await other.stop();
    expect(resumed.code).toBe(4);
    expect(resumed.errors).toMatch(`\nops: ${file}.import was begun on another table, of staging.\n`);
  });

  test('has a journal, not any file', async () => {
    const file = fileWith(csv(1));
    expect(await resume(file)).toMatchObject({ code: 3, errors: `ops: ${file} is no journal of an import.\n` });
  });
});
