import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  cut,
  dropKey,
  type Fault,
  faultyProxy,
  hold,
  pass,
  shorten,
  unavailable,
} from '../../support/clients/faulty-proxy.ts';
import { blocksOf } from '../../support/docs/markdown.ts';
import { type LocalRun, localRun, temporaryDirectory } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { ended, outputOf, project } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

/** The petId that README's commands have. A client that rounds it sells the other one. */
const petId = '9007199254740993';
const rounded = '9007199254740992';

const lines = blocksOf(readFileSync('examples/README.md', 'utf8'), 'sh').join('').split('\n');

/** Each program by its file, with the command that runs it. */
const programs = lines.flatMap((line) => {
  const [, command, file] =
    /^(.* examples\/(\w+\.\w+)) 9007199254740993 order-\d+$/.exec(line) ?? [];
  return command && file ? [{ file, command }] : [];
});

let run: LocalRun;

type Proxy = Awaited<ReturnType<typeof faultyProxy>>;

interface Target {
  baseUrl: string;
  apiKey?: string;
}

beforeAll(async () => {
  const [install = ''] = lines.filter((line) => line.startsWith('mvn '));
  await outputOf('jq', '--version');
  await outputOf('sh', '-c', install);
  run = await localRun();
});

const setStock = async (quantities: Record<string, number>): Promise<void> => {
  for (const [id, quantity] of Object.entries(quantities)) {
    const Item = { petId: { N: id }, quantity: { N: `${quantity}` }, status: { S: 'available' } };
    await run.tables.client.putItem({ TableName: run.tables.inventory, Item });
  }
};

const stockOf = async (id: string): Promise<string | undefined> => {
  const Key = { petId: { N: id } };
  const { Item } = await run.tables.client.getItem({ TableName: run.tables.inventory, Key });
  return Item?.quantity?.N;
};

const remove = (id: string) =>
  run.tables.client.deleteItem({ TableName: run.tables.inventory, Key: { petId: { N: id } } });

/** Starts a program. It gets a process group of its own, because it may start others. */
const start = (command: string, order: string, { baseUrl, apiKey = run.apiKey }: Target) => {
  const child = spawn('sh', ['-c', `exec ${command} ${petId} ${order}`], {
    cwd: project,
    detached: true,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      // A killed program leaves its files.
      TMPDIR: temporaryDirectory,
      // README's `node` is a recent one.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      PETSTORE_BASE_URL: baseUrl,
      PETSTORE_API_KEY: apiKey,
    },
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const kill = () => hasEnded() || process.kill(-(child.pid as number), 'SIGKILL');
  atEnd(kill);
  return { end: ended(child), hasEnded, kill };
};

/** Runs a program to its end. */
const sell = async (command: string, order: string, target: Target) => {
  const end = await start(command, order, target).end;
  expect(end.output + end.errors).not.toContain(target.apiKey ?? run.apiKey);
  return end;
};

/** Starts a program, and kills it when the proxy holds what the service has answered to it. */
const killedSale = async (command: string, order: string, proxy: Proxy): Promise<void> => {
  const { end, hasEnded, kill } = start(command, order, proxy);
  await until('an update that is held', () => proxy.isHolding() || hasEnded(), 120);
  kill();
  await end;
};

const sold = (order: string) => ({
  code: 0,
  output: `Sold one of pet ${petId} to ${order}.\n`,
  errors: '',
});

const stoppedBy = (message: string) => ({
  code: 1,
  output: '',
  // go run adds that the exit status was 1.
  errors: expect.stringMatching(new RegExp(`^${message}.*\n(exit status 1\n)?$`)),
});

/** What no entry has. It differs each time. */
const noEtag = expect.stringMatching(/^"9\d{15}-available"$/);

test('README has five programs', () => {
  expect(programs).toHaveLength(5);
});

describe.each(programs)('$file', ({ file, command }) => {
  test('sells one, although a rival is faster, responses get lost, and it is killed', async () => {
    const order = `${file}-rival`;
    await setStock({ [petId]: 5, [rounded]: 5 });
    const rival: Fault = async (passing) => {
      await setStock({ [petId]: 4 });
      await pass(passing);
    };
    const proxy = await faultyProxy(run.baseUrl, {
      lists: [shorten],
      updates: [rival, unavailable, cut, hold],
    });
    await killedSale(command, order, proxy);
    expect(await sell(command, order, proxy)).toStrictEqual(sold(order));
    expect(proxy.updates).toStrictEqual([
      { key: `${order}-1`, ifMatch: '"5-available"', quantity: 4, status: 412 },
      { key: `${order}-2`, ifMatch: '"4-available"', quantity: 3 },
      { key: `${order}-2`, ifMatch: '"4-available"', quantity: 3, status: 200 },
      { key: `${order}-2`, ifMatch: '"4-available"', quantity: 3, status: 200 },
      // It is started again, and sees that one has been sold.
      { key: `${order}-1`, ifMatch: '"3-available"', quantity: 2, status: 422 },
      { key: `${order}-2`, ifMatch: '"3-available"', quantity: 2, status: 422 },
    ]);
    expect([await stockOf(petId), await stockOf(rounded)]).toStrictEqual(['3', '5']);
    // A clock may show a little less than the three seconds of Retry-After.
    expect(proxy.waits()[1]).toBeGreaterThan(2.98);
  });

  test('knows that it has sold the last one, also when the entry is gone', async () => {
    const order = `${file}-last`;
    const proxy = await faultyProxy(run.baseUrl, { updates: [pass, pass, hold] });
    await setStock({ [petId]: 0 });
    expect(await sell(command, order, proxy)).toStrictEqual(
      stoppedBy(`Not sold: pet ${petId} is not available\\.`),
    );
    await setStock({ [petId]: 1 });
    await killedSale(command, order, proxy);
    expect(await sell(command, order, proxy)).toStrictEqual(sold(order));
    expect(await stockOf(petId)).toBe('0');
    await remove(petId);
    expect(await sell(command, order, proxy)).toStrictEqual(sold(order));
    expect(await stockOf(petId)).toBeUndefined();

    const question = (number: number, status: number) => ({
      key: `${order}-${number}`,
      ifMatch: noEtag,
      quantity: 0,
      status,
    });
    expect(proxy.updates).toStrictEqual([
      question(1, 412),
      { key: `${order}-1`, ifMatch: '"1-available"', quantity: 0, status: 422 },
      { key: `${order}-2`, ifMatch: '"1-available"', quantity: 0, status: 200 },
      question(1, 422),
      question(2, 422),
      question(1, 422),
      question(2, 422),
    ]);
  });

  test('stops if its API key is not valid, or if a proxy drops the Idempotency-Key', async () => {
    await setStock({ [petId]: 5 });
    const proxy = await faultyProxy(run.baseUrl, { updates: [dropKey] });
    const unknown = { ...proxy, apiKey: `${run.apiKey.slice(0, -1)}x` };
    expect(await sell(command, `${file}-x`, unknown)).toStrictEqual(
      stoppedBy('Stopped by 401: \\{'),
    );
    expect(await sell(command, `${file}-x`, proxy)).toStrictEqual(stoppedBy('Stopped by 200: \\{'));
    expect(proxy.updates).toHaveLength(1);
  });
});
