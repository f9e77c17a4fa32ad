import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { respondWithError, type Script } from '../support/dynamodb/dynamodb.ts';
import { pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import { captureLog } from '../support/functions/capture-log.ts';

/** Calls that DynamoDB will run after their client has been told that they failed. */
const late: Promise<unknown>[] = [];

const lost: Script = ({ response }) => response.destroy();
const faults: Record<string, Script> = {
  none: pass,
  throttled: respondWithError(400, 'ProvisionedThroughputExceededException'),
  'an error': respondWithError(500, 'InternalServerError'),
  'lost before it is run': lost,
  'lost after it is run': (call) => call.forward().then(() => lost(call)),
  'lost, and run later': (call) => {
    late.push(sleep(20).then(call.forward));
    lost(call);
  },
  'not readable': async ({ forward, response }) => {
    const { bytes } = await forward();
    response.writeHead(200, { 'x-amz-crc32': '1' }).end(bytes);
  },
};

/** The faults of the next calls. */
let schedule: string[] = [];
const { put, stored, patch } = await inventoryTable(async (call) => {
  await faults[schedule.shift() ?? 'none']?.(call);
  return 'written';
});
const quantityNow = async (): Promise<number> => Number((await stored(7))?.quantity?.N);

captureLog();

/** Amounts that clients have subtracted, by what they were told. */
interface Sales {
  sold: number[];
  unknown: number[];
}

/** Subtracts amounts, one after the other, as the contract tells a client to. */
const sell = async (amounts: number[], { sold, unknown }: Sales): Promise<void> => {
  let quantity = await quantityNow();
  for (const amount of amounts) {
    for (let isPending = true; isPending; ) {
      const { statusCode, headers } = await patch('7', `{"quantity":${quantity - amount}}`, {
        'If-Match': [`"${quantity}-available"`],
      });
      isPending = statusCode === 412;
      if (statusCode >= 500) {
        unknown.push(amount);
        quantity = await quantityNow();
      } else {
        quantity = Number(/\d+/.exec(String(headers?.ETag))?.[0]);
      }
      if (statusCode === 200) {
        sold.push(amount);
      }
    }
  }
};

const sumOf = (amounts: number[]): bigint =>
  amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);

test('what is left is explained by every 200 once, no 412, and some of the 5xx', async () => {
  const kinds = fc.oneof(
    { arbitrary: fc.constant('none'), weight: 6 },
    { arbitrary: fc.constantFrom(...Object.keys(faults)), weight: 6 },
  );
  const statuses = { sold: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(kinds, { minLength: 60, maxLength: 120 }), async (faultsOfRun) => {
      schedule = [...faultsOfRun];
      const stock = 2 ** 50;
      await put(7, { quantity: { N: String(stock) }, status: { S: 'available' } });
      const sales: Sales = { sold: [], unknown: [] };
      // Each amount is another power of two, so that a sum tells its amounts.
      const clients = [0, 1, 2, 3, 4, 5].map((number) =>
        [0, 1, 2, 3, 4, 5].map((sale) => 2 ** (6 * sale + number)),
      );
      await Promise.all(clients.map((amounts) => sell(amounts, sales)));
      await Promise.all(late.splice(0));
      const unexplained = BigInt(stock - (await quantityNow())) - sumOf(sales.sold);
      expect(unexplained & ~sumOf(sales.unknown)).toBe(0n);
      statuses.sold += sales.sold.length;
      statuses.unknown += sales.unknown.length;
    }),
    { numRuns: 15 },
  );
  // Otherwise, the runs would show nothing.
  expect([statuses.sold > 100, statuses.unknown > 20]).toEqual([true, true]);
});
