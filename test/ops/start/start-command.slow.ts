// How a run ends that no Ctrl-C ends, and what it does when the disk is full.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import {
  localRun,
  spawnStart,
  startRun,
  temporaryDirectory,
} from '../../support/local/local-run.ts';
import { tablesIn } from '../../support/ops/data-directory.ts';
import { ended } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

/** Returns what the programs of this file have left in their temporary directory. */
const leftBehind = () => readdirSync(temporaryDirectory).filter((name) => /inventory/.test(name));

test('a run that is ended during the synthesis starts nothing, and leaves nothing behind', async () => {
  const child = spawnStart(['--port', '0']);
  const ending = ended(child);
  await once(child.stderr as Readable, 'data');
  child.kill('SIGTERM');
  expect(await ending).toStrictEqual({
    code: 0,
    output: '',
    errors: 'Synthesizing the stack; this takes a few seconds…\n',
  });
  expect(leftBehind()).toStrictEqual([]);
});

test('a run whose log nobody reads any more fails at its next line', async () => {
  const run = await localRun();
  run.process.stdout?.destroy();
  // The response may be cut off.
  run.send({ path: '/inventory' }).catch(() => {});
  expect(await once(run.process, 'exit')).toStrictEqual([1, null]);
});

const internalError = {
  status: 500,
  text: '{"code":"internal_error","message":"Something went wrong on our side. Try again later.","status":500}',
};

test('with --data, a full disk is a 500 and a line, and loses no confirmed update', async () => {
  const data = join(temporaryDirectory, 'full');
  // No file may grow beyond half a megabyte, as if the disk were full then.
  const run = await startRun(['--data', data], { before: 'ulimit -f 500' });
  const { client, inventory: TableName } = run.tables;
  const Key = { petId: { N: '5' } };
  for (let n = 0; n < 10; n += 1) {
    await client.putItem({ TableName, Item: { ...Key, text: { S: 'x'.repeat(50_000) } } });
  }
  await client.deleteItem({ TableName, Key });
  let confirmed = -1;
  const refused = await until('a full disk', async () => {
    const { status, text } = await run.patch(1, `{"quantity":${confirmed + 1}}`);
    confirmed += status === 200 ? 1 : 0;
    return status !== 200 && { status, text };
  });
  expect(refused).toStrictEqual(internalError);
  expect(confirmed).toBeGreaterThan(0);
  // Nothing is written after half a record, whatever room there is.
  expect(await run.patch(2, '{"quantity":99}')).toMatchObject(internalError);
  // What is confirmed can still be read.
  const { text } = await run.send({ path: '/inventory' });
  expect(text).toContain(`{"petId":1,"quantity":${confirmed},`);
  expect(run.log().match(/^The tables cannot .*$/gm)).toStrictEqual([
    `The tables cannot be written: IO error: ${data}/petstore-tables/000003.log: File too large. ` +
      'Every confirmed update is kept. Make room and restart; until then, nothing more is written.',
  ]);
  run.process.kill('SIGKILL');
  await once(run.process, 'exit');

  await using tables = await tablesIn(data);
  const { 1: kept, 2: other } = await tables.stock();
  expect([kept, other]).toStrictEqual([String(confirmed), '3']);
});
