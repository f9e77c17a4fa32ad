import { GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { functionTimeout } from '../../../functions/shared/time-limits.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { inParallel } from '../../support/in-parallel.ts';
import { type FaultyRun, faultyRun } from './faulty-run.ts';
import type { Case, Cases } from './kinds.ts';

/** As many as the local run has instances of a function: nothing waits for another's fault. */
const width = 10;

interface Outcome {
  status: number;
  retryAfter: string | undefined;
  /** Whether it was there within the function's time limit. */
  withTimeout: boolean;
  /** Of the same request, once the fault has ended or has worn off. */
  again: number;
  /** What the table then holds. */
  item: object | undefined;
  /** A 200 whose quantity the table did not hold. */
  lies: number;
}

/**
 * Tests what comes of each case, on the same instances: first those that wear off, because what lasts uses up the retries that the SDK
 * allows an instance.
 */
export const testUpdates = (
  { wearingOff, lasting }: Cases,
  errors: [type: string, message: string, cause?: string][],
) => {
  const cases = [...wearingOff, ...lasting];
  let run: FaultyRun;
  const outcomes = new Map<string, Outcome>();
  let warm: number[];
  let before: object;

  /** What the engine holds, by petId. */
  const table = async () => {
    const { Items = [] } = await run.tables.client.send(new ScanCommand({ TableName: run.tables.inventory }));
    return Object.fromEntries(Items.map((entry) => [entry.petId?.N, entry]));
  };

  const itemOf = async (petId: number) => {
    const get = new GetItemCommand({ TableName: run.tables.inventory, Key: { petId: { N: String(petId) } } });
    return (await run.tables.client.send(get)).Item;
  };

  const item = (petId: number, quantity: number) => ({
    petId: { N: String(petId) },
    quantity: { N: String(quantity) },
    status: { S: 'pending' },
    note: { S: 'of the operators' },
  });

  const patch = (petId: number, quantity: number): Promise<HttpResponse> =>
    run.send({
      method: 'PATCH',
      path: `/inventory/${petId}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ quantity }),
    });

  const outcomeOf = async ({ what, times }: Case, index: number): Promise<Outcome> => {
    const petId = 1000 + index;
    const quantity = 5000 + index;
    let lies = 0;
    const tell = async () => {
      const response = await patch(petId, quantity);
      lies += response.status === 200 && (await itemOf(petId))?.quantity?.N !== String(quantity) ? 1 : 0;
      return response;
    };
    const where = ({ Key }: { Key?: object }) => JSON.stringify(Key) === `{"petId":{"N":"${petId}"}}`;
    const end = run.proxy.inject({ on: 'UpdateItem', where, what, times });
    const began = performance.now();
    const { status, headers } = await tell();
    const withTimeout = performance.now() - began < functionTimeout;
    if (times === Number.POSITIVE_INFINITY) {
      end();
    }
    let again = await tell();
    for (let tries = 1; tries < 5 && again.status !== 200; tries++) {
      again = await tell();
    }
    const retryAfter = headers['retry-after'];
    return { status, retryAfter, withTimeout, again: again.status, item: await itemOf(petId), lies };
  };

  beforeAll(async () => {
    run = await faultyRun();
    const TableName = run.tables.inventory;
    const petIds = cases.map((_case, index) => 1000 + index);
    await inParallel(petIds, width, (petId) =>
      run.tables.client.send(new PutItemCommand({ TableName, Item: item(petId, 1) })),
    );
    await Promise.all(Array.from({ length: width }, () => patch(1, 1)));
    warm = run.instances();
    before = await table();
    const tell = async (one: Case) => outcomes.set(one.name, await outcomeOf(one, cases.indexOf(one)));
    await inParallel(wearingOff, width, tell);
    await inParallel(lasting, width, tell);
  });

  test.each(cases)('$name', ({ name, expected: status }) => {
    const index = cases.findIndex((one) => one.name === name);
    expect(outcomes.get(name)).toEqual({
      status,
      retryAfter: status === 503 ? '1' : undefined,
      withTimeout: true,
      again: 200,
      item: item(1000 + index, 5000 + index),
      lies: 0,
    });
  });

  test.each(errors.map((error) => [error]))('the log has %j', ([errorType, errorMessage, ofCause]) => {
    const lines = run
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"ERROR"'));
    const logged = lines.map((line) => JSON.parse(line));
    const cause = ofCause && { cause: expect.objectContaining({ errorMessage: ofCause }) };
    // Of the bundle, positions in the sources.
    const stack = expect.stringMatching(/functions\/\w+\/[\w-]+\.ts:\d+:\d+/);
    expect(logged).toContainEqual(expect.objectContaining({ errorType, errorMessage, stack, ...cause }));
  });

  test('no call goes on when its request is over', () => {
    expect(run.proxy.underWay).toBe(0);
  });

  test('nothing changes but the quantities of those entries', async () => {
    const updated = cases.map((_case, index) => [1000 + index, item(1000 + index, 5000 + index)]);
    expect(await table()).toEqual({ ...before, ...Object.fromEntries(updated) });
  });

  test('no instance has ended over it', () => {
    expect(warm.length).toBeGreaterThan(1);
    expect(run.instances()).toEqual(expect.arrayContaining(warm));
  });
};
