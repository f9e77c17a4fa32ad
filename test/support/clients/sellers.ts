import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { type LocalRun, localRun } from '../local/local-run.ts';
import { atEnd } from '../process/at-end.ts';
import { faultyProxy } from './faulty-proxy.ts';
import { type Program, runClient, type Target } from './program.ts';

interface Entry {
  petId: bigint;
  quantity: bigint;
  status: string;
}

/**
 * Sells one of a pet, of which the last argument reads the entry.
 * @throws Error if it is not clear whether it did
 */
type Sell = (target: Target, petId: string, read: () => Promise<Entry>) => Promise<void>;

/** Returns the name of a file that does not exist yet, in a folder of its own. */
export const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sale-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'sale.json');
};

/** Sells with a program that sells. */
export const withSeller =
  (program: Program): Sell =>
  async (target, petId) => {
    const { code, output, errors } = await runClient(program, target, petId, '1', newFile());
    expect({ code, errors }).toStrictEqual({ code: 0, errors: '' });
    expect(output).toMatch(/^Sold 1, \d+ are left\.\n$/);
  };

/** Sells with a program that sets a quantity under a condition, and decides again after a refusal. */
export const withSetter =
  (program: Program): Sell =>
  async (target, petId, read) => {
    for (let isSold = false; !isSold; ) {
      const { quantity, status } = await read();
      const update = [petId, `${quantity - 1n}`, `"${quantity}-${status}"`];
      const { code, errors } = await runClient(program, target, ...update);
      if (code !== 0) {
        expect(errors).toMatch(/^(Error: )?The service responded with (412|422): .*"code":/i);
      }
      isSold = code === 0;
    }
  };

const list = async (run: LocalRun): Promise<Entry[]> => {
  const { body } = await run.send({ path: '/inventory' });
  return body as Entry[];
};

/** Brings back one of what is sold, so that the stock is as before, until it is told to stop. */
const bringBack = async (
  { patch }: LocalRun,
  { petId, quantity: full, status }: Entry,
  { read, isOver }: { read: () => Promise<Entry>; isOver: () => boolean },
): Promise<number> => {
  let broughtBack = 0;
  for (; !isOver(); await sleep(500)) {
    const { quantity } = await read();
    if (quantity < full) {
      const headers = {
        'Content-Type': 'application/json',
        'If-Match': `"${quantity}-${status}"`,
      };
      const response = await patch(petId, `{"quantity":${quantity + 1n}}`, headers);
      broughtBack += response.status === 200 ? 1 : 0;
    }
  }
  return broughtBack;
};

/**
 * Tests that all sell, and that what is told to be sold is gone. A program that is unsure for five
 * minutes would end with that.
 * @param sales how many are sold, and how many at the same time
 */
export const testSellers = (
  name: string,
  sales: { count: number; concurrency: number },
  prepare: () => Sell,
): void =>
  test(`of ${name}, ${sales.count} sell one each behind a faulty proxy, beside one who brings back`, async () => {
    const { count, concurrency } = sales;
    const sell = prepare();
    const run = await localRun();
    const entry = (await list(run)).find(({ status }) => status === 'available') as Entry;
    const full = { ...entry, quantity: BigInt(count) };
    await run.patch(entry.petId, `{"quantity":${full.quantity}}`);
    const read = async () => (await list(run)).find(({ petId }) => petId === entry.petId) as Entry;

    const proxy = await faultyProxy(run.baseUrl);
    const target = { baseUrl: proxy.baseUrl, apiKey: run.apiKey };
    let isOver = false;
    const restocker = bringBack(run, full, { read, isOver: () => isOver });
    const ends = await pMap(
      Array(count).fill(String(entry.petId)),
      (petId: string) =>
        sell(target, petId, read).then(
          () => 'sold',
          ({ message }: Error) => message,
        ),
      { concurrency },
    );
    const hadEachFault = await proxy.settled();
    isOver = true;
    const broughtBack = await restocker;
    const { quantity } = await read();
    expect({
      sold: ends.filter((end) => end === 'sold').length,
      gone: full.quantity + BigInt(broughtBack) - quantity,
      unsure: ends.filter((end) => end !== 'sold'),
      hadEachFault,
    }).toStrictEqual({ sold: count, gone: full.quantity, unsure: [], hadEachFault: true });
    await run.stop();
  });
