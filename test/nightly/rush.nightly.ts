// A hundred clients of one pet at the same moment, each with an instance of the real handler, in
// virtual time. Of ten, nine sell one and one brings one back, so that the stock is again as others
// have seen it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { captureLog } from '../support/functions/capture-log.ts';
import { contextWith, patchEvent, setEnvironment } from '../support/functions/functions.ts';
import { type Day, SimulatedDynamodb } from '../support/rush/simulated-dynamodb.ts';
import { simulatedNetwork } from '../support/rush/simulated-network.ts';
import { randomOf, virtualTime } from '../support/rush/virtual-time.ts';

setEnvironment({
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
  INVENTORY_TABLE_NAME: 'pets',
  RECEIPTS_TABLE_NAME: 'receipts',
});
captureLog();
const time = virtualTime();
const network = simulatedNetwork(time);
const { RetryStrategy } = await import('../../functions/dynamodb/retries.ts');
const { client } = await import('../../functions/dynamodb/dynamodb-client.ts');
const { handler } = await import('../../functions/update-inventory.ts');

// On Lambda, requests that run at the same time have an instance each, and so a quota of retries.
const instance = new AsyncLocalStorage<InstanceType<typeof RetryStrategy>>();
client.config.retryStrategy = async () => instance.getStore() as never;
const onInstanceOfItsOwn = async <Result>(work: () => Promise<Result>): Promise<Result> =>
  instance.run(new RetryStrategy({ maxAttempts: await client.config.maxAttempts() }), work);

/** The milliseconds for which a client sends the same request again. */
const patience = 600_000;

class Shop {
  readonly #dynamodb: SimulatedDynamodb;
  requests = 0;
  failed = 0;
  unsure = 0;

  constructor(dynamodb: SimulatedDynamodb) {
    this.#dynamodb = dynamodb;
  }

  /** Changes the stock by one, as docs/api.md says. */
  async change(order: string, by: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { quantity } = this.#dynamodb;
      const headers = {
        'If-Match': [`"${quantity}-available"`],
        'Idempotency-Key': [`${order}-${attempt}`],
      };
      const status = await this.#insist(quantity + by, headers);
      if (status !== 412) {
        this.unsure += status === 200 ? 0 : 1;
        return;
      }
    }
  }

  async #insist(to: number, headers: Record<string, string[]>): Promise<number> {
    const startedAt = time.now();
    for (;;) {
      const event = patchEvent('7', `{"quantity":${to}}`, headers);
      const responds = handler(event, contextWith(10_000)) as Promise<APIGatewayProxyResult>;
      const { statusCode } = await responds;
      this.requests += 1;
      if (statusCode < 500 || time.now() - startedAt > patience) {
        return statusCode;
      }
      this.failed += 1;
      await time.sleep(1_000 + 1_000 * Math.random());
    }
  }
}

const rush = async (day: Day) => {
  jest.spyOn(Math, 'random').mockImplementation(randomOf(7));
  const dynamodb = new SimulatedDynamodb(200, time, day);
  network.connect((call) => dynamodb.receive(call));
  const shop = new Shop(dynamodb);
  const clients = Array.from({ length: 100 }, (_, number) =>
    onInstanceOfItsOwn(async () => {
      await time.sleep(50 * Math.random());
      await shop.change(`order-${number}`, number % 10 === 9 ? 1 : -1);
    }),
  );
  await time.until(Promise.all(clients));
  const { requests, failed, unsure } = shop;
  return { requests, failed, unsure, left: dynamodb.quantity };
};

/** The share of requests that may get a 5xx, by the share of attempts that have a fault. */
const mayFail = new Map([
  [0, 0],
  [0.1, 0.01],
  [0.3, 0.03],
]);

const days: Day[] = (
  ['both, a conflict before a condition', 'one, a condition before a conflict'] as const
).flatMap((reports) =>
  [20, 50].flatMap((holds) => [...mayFail.keys()].map((faults) => ({ reports, holds, faults }))),
);

test.each(days)('each of a hundred clients of one pet has its turn, once: %j', async (day) => {
  const { requests, failed, ...others } = await rush(day);
  expect(others).toStrictEqual({ unsure: 0, left: 200 - 90 + 10 });
  expect(requests).toBeGreaterThan(200);
  expect(failed / requests).toBeLessThanOrEqual(mayFail.get(day.faults) ?? 0);
});
