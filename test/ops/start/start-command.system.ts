import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createTables, startEngine } from '../../../local/tables/tables.ts';
import { template } from '../../support/http/serve-api.ts';
import {
  type LocalRun,
  localRun,
  spawnStart,
  startRun,
  temporaryDirectory,
} from '../../support/local/local-run.ts';
import { ended, outputOf } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

const notice = 'Synthesizing the stack, which takes a few seconds…\n';

/** Returns the quantity of each pet that a run lists, by petId. */
const stockOf = async (run: LocalRun): Promise<Record<string, string>> => {
  const { text } = await run.send({ path: '/inventory' });
  const entries = text.matchAll(/"petId":(-?\d+),"quantity":(\d+)/g);
  return Object.fromEntries(Array.from(entries, ([, petId, quantity]) => [petId, quantity]));
};

test('start prints commands to paste, and logs a readable line for each request, until Ctrl-C', async () => {
  const run = await startRun(['--stage', 'prod']);
  const [exports = '', curl = ''] = ['export', 'curl'].map(
    (name) => new RegExp(`^${name} .*$`, 'm').exec(run.output)?.[0],
  );
  const listed = await outputOf('sh', '-c', curl.replace('curl', 'curl --silent'));
  expect(JSON.parse(listed)).toHaveLength(7);
  const byVariables =
    'curl --silent -H "Authorization: Bearer $PETSTORE_API_KEY" $PETSTORE_BASE_URL/inventory';
  expect(await outputOf('sh', '-c', `${exports}\n${byVariables}`)).toBe(listed);
  await run.sendBare({ path: '/inventory' });
  await until('the last line', () => run.log().includes(' 401 '));

  // A client is connected, and requests are under way.
  const { port } = new URL(run.baseUrl);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const updates = Array.from({ length: 20 }, () => run.patch(1, '{"quantity":1}'));
  const settled = Promise.allSettled(updates);
  run.process.kill('SIGINT');
  expect(await once(run.process, 'close')).toStrictEqual([0, null]);
  await settled;
  socket.destroy();
  const lines = run
    .log()
    .replaceAll(/^.* PATCH .*\n/gm, '')
    .replaceAll(/^\d\d:\d\d:\d\d /gm, '')
    .replaceAll(/\d+ ms/g, 'N ms')
    .replaceAll(/key [0-9a-f]{16}$/gm, 'key ID');
  expect(lines).toBe(
    'GET /prod/v1/inventory 200 N ms key ID\n'.repeat(2) +
      `GET /prod/v1/inventory 401 unauthorized N ms\n${notice}`,
  );
});

const TableName = template.output('InventoryTableName');

/** Opens the tables of a data directory that no run uses. */
const tablesIn = async (data: string) => {
  const { endpoint, close } = await startEngine({ dataDirectory: data });
  const client = await createTables(template, endpoint);
  return {
    client,
    close: async () => {
      client.destroy();
      await close();
    },
  };
};

test('with --data, a run that is killed loses no confirmed update, and the sample is loaded once', async () => {
  const data = join(temporaryDirectory, 'killed');
  const tables = await tablesIn(data);
  const Item = { petId: { N: '2' }, quantity: { N: '77' }, status: { S: 'pending' } };
  await tables.client.putItem({ TableName, Item });
  await tables.close();
  const run = await localRun('--data', data);
  const before = await stockOf(run);
  expect(before).toMatchObject({ 1: '12', 2: '77', 3: '0' });

  await run.tables.client.deleteItem({ TableName, Key: { petId: { N: '3' } } });
  await Promise.all(Array.from({ length: 100 }, (_, n) => run.patch(2, `{"quantity":${n}}`)));
  await run.patch(2, '{"quantity":7}');
  expect((await run.patch(1, '{"quantity":4321}')).status).toBe(200);
  run.process.kill('SIGKILL');
  await once(run.process, 'exit');

  const next = await localRun('--data', data, '--api-key', run.apiKey);
  const { 3: _removed, ...kept } = before;
  expect(await stockOf(next)).toStrictEqual({ ...kept, 1: '4321', 2: '7' });

  // Nobody reads the log any more, which the next line finds. The response may then be cut off.
  next.process.stdout?.destroy();
  next.send({ path: '/inventory' }).catch(() => {});
  expect(await once(next.process, 'exit')).toStrictEqual([0, null]);
});

/** Fills most of what the log of the tables may have. */
const fill = async ({ client }: LocalRun['tables']): Promise<void> => {
  const Key = { petId: { N: '5' } };
  for (let n = 0; n < 10; n += 1) {
    await client.putItem({ TableName, Item: { ...Key, text: { S: 'x'.repeat(50_000) } } });
  }
  await client.deleteItem({ TableName, Key });
};

const internalError = {
  status: 500,
  text: '{"code":"internal_error","message":"Something went wrong on our side. Try again later.","status":500}',
};

test('with --data, a full disk is a 500 and a line, and loses no confirmed update', async () => {
  const data = join(temporaryDirectory, 'full');
  // No file may grow beyond half a megabyte, as if the disk were full then.
  const run = await startRun(['--data', data], { before: 'ulimit -f 500' });
  const before = await stockOf(run);
  await fill(run.tables);
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
  expect(await stockOf(run)).toStrictEqual({ ...before, 1: String(confirmed) });
  expect(run.log().match(/^The tables cannot .*$/gm)).toStrictEqual([
    `The tables cannot be written: IO error: ${data}/petstore-tables/000003.log: File too large. ` +
      'All that was confirmed is kept. Make room, and start again: until then, nothing is written.',
  ]);
  run.process.kill('SIGKILL');
  await once(run.process, 'exit');

  const { client, close } = await tablesIn(data);
  const { Items = [] } = await client.scan({ TableName });
  await close();
  const kept = Object.fromEntries(Items.map(({ petId, quantity }) => [petId?.N, quantity?.N]));
  expect(kept).toStrictEqual({ ...before, 1: String(confirmed) });
});

// In a test's process, the SDK wraps the error and its message.
test('an engine that is not there is an error that names it, before anything else is done', async () => {
  const engine = 'http://127.0.0.1:1';
  expect(await ended(spawnStart(['--port', '0', '--dynamodb', engine]))).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `petstore: ${engine} cannot be used as an engine of DynamoDB: ` +
      'connect ECONNREFUSED 127.0.0.1:1.\n',
  });
});

/** Returns what the programs of this file have left in their temporary directory. */
const leftBehind = () => readdirSync(temporaryDirectory).filter((name) => /inventory/.test(name));

test('SIGTERM or SIGHUP during the synthesis ends start, which leaves nothing behind', async () => {
  const before = leftBehind();
  const endings = (['SIGTERM', 'SIGHUP'] as const).map(async (signal) => {
    const child = spawnStart(['--port', '0']);
    const ending = ended(child);
    await once(child.stderr as Readable, 'data');
    child.kill(signal);
    return ending;
  });
  const asIntended = { code: 0, output: '', errors: notice };
  expect(await Promise.all(endings)).toStrictEqual([asIntended, asIntended]);
  expect(leftBehind().filter((name) => !before.includes(name))).toStrictEqual([]);
});

test('a second Ctrl-C ends start at once', async () => {
  const child = spawnStart(['--port', '0']);
  const exit = once(child, 'exit');
  await once(child.stderr as Readable, 'data');
  await until('the end', () => {
    child.kill('SIGINT');
    return child.signalCode;
  });
  expect(await exit).toStrictEqual([null, 'SIGINT']);
});
