import { setTimeout as sleep } from 'node:timers/promises';
import { GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { functionTimeout } from '../../../functions/shared/time-limits.ts';
import type { Answer } from '../../support/http-client.ts';
import { inParallel } from '../../support/in-parallel.ts';
import { type FaultyRun, faultyRun } from './faulty-run.ts';
import { type Kind, kinds, late, lateness } from './kinds.ts';

/** As many as the local run has instances of a function: nothing waits for another's fault. */
const width = 10;

const cases = Object.entries(kinds).flatMap(([name, { what, once, forEver }]) => [
  { name: `${name}, once`, what, times: 1, expected: once },
  { name: `${name}, twice`, what, times: 2, expected: once },
  // A burst of what takes the whole of the time limit, each time, would take a minute.
  ...(forEver === 504 ? [] : [{ name: `${name}, five times`, what, times: 5, expected: forEver }]),
  { name: `${name}, for ever`, what, times: Number.POSITIVE_INFINITY, expected: forEver },
]);

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

describe('an update, when this happens to UpdateItem:', () => {
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

  const patch = (petId: number, quantity: number): Promise<Answer> =>
    run.send({
      method: 'PATCH',
      path: `/inventory/${petId}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ quantity }),
    });

  const outcomeOf = async ({ what, times }: (typeof cases)[number], index: number): Promise<Outcome> => {
    const petId = 1000 + index;
    const quantity = 5000 + index;
    let lies = 0;
    const tell = async () => {
      const answer = await patch(petId, quantity);
      lies += answer.status === 200 && (await itemOf(petId))?.quantity?.N !== String(quantity) ? 1 : 0;
      return answer;
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
    const petIds = [999, ...cases.keys().map((index) => 1000 + index)];
    await inParallel(petIds, width, (petId) =>
      run.tables.client.send(new PutItemCommand({ TableName, Item: item(petId, 1) })),
    );
    await Promise.all(Array.from({ length: width }, () => patch(1, 1)));
    warm = run.instances();
    before = await table();
    // The ones that make an instance use up its retries come last.
    const inOrder = [...cases.entries()].sort(([, a], [, b]) =>
      a.times === b.times ? a.expected - b.expected : a.times - b.times,
    );
    await inParallel(inOrder, width, async ([index, one]) => outcomes.set(one.name, await outcomeOf(one, index)));
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

  test.each([
    ['TransientError', 'The answer of DynamoDB cannot be read.', 'Its checksum is missing or another.'],
    ['TransientError', 'The answer of DynamoDB cannot be read.', 'It is no object.'],
    ['TransientError', 'DynamoDB gave no answer: DynamoDB was silent for 2000 ms.', 'DynamoDB was silent for 2000 ms.'],
    ['UnknownError', 'UnknownError', undefined],
    ['ApiError', 'The request took too long. Try again later.', undefined],
    ['AccessDeniedException', 'No', undefined],
    ['ResourceNotFoundException', 'No table', undefined],
  ])('the log has %s: %s %s', (errorType, errorMessage, ofCause) => {
    const lines = run
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"ERROR"'));
    const logged = lines.map((line) => JSON.parse(line));
    const cause = ofCause && { cause: expect.objectContaining({ errorMessage: ofCause }) };
    expect(logged).toContainEqual(expect.objectContaining({ errorType, errorMessage, ...cause }));
  });

  test('no call goes on when its request is over', () => {
    expect(run.proxy.underWay).toBe(0);
  });

  test('nothing changes but the quantities of those entries', async () => {
    const updated = cases.map((_case, index) => [1000 + index, item(1000 + index, 5000 + index)]);
    expect(await table()).toEqual({ ...before, ...Object.fromEntries(updated) });
  });

  test('one that had no answer, and is done late, is undone by the same request as before', async () => {
    const { what } = kinds[late] as Kind;
    const end = run.proxy.inject({ on: 'UpdateItem', what, times: Number.POSITIVE_INFINITY });
    expect((await patch(999, 1)).status).toBe(503);
    end();
    expect((await patch(999, 2)).status).toBe(200);
    await sleep(lateness);
    // Most often the older one, which the engine has done after the newer.
    expect([item(999, 1), item(999, 2)]).toContainEqual(await itemOf(999));
    expect((await patch(999, 2)).status).toBe(200);
    expect(await itemOf(999)).toEqual(item(999, 2));
  });

  test('no instance has ended over it', () => {
    expect(warm.length).toBeGreaterThan(1);
    expect(run.instances()).toEqual(expect.arrayContaining(warm));
  });
});
