import { expect } from '@jest/globals';
import type { Service } from '../../support/http/http-client.ts';
import { unthrottled } from '../../support/http/unthrottled.ts';
import { contradiction, type Operation } from './register.ts';

/** The operations on each entry, by petId, across all runs. */
export type Histories = Map<string, Operation[]>;

/**
 * The quantity written last. Each write takes the next number, which no entry has at first, so that
 * none repeats.
 */
let value = 1_000;

/**
 * Updates an entry and records the write. A 200 proves that the write took effect; after any other
 * response, or a lost connection, it may or may not have. Returns the status.
 */
export const update = async (
  run: Service,
  histories: Histories,
  petId: string,
): Promise<number> => {
  value += 1;
  const write: Operation = {
    kind: 'write',
    value,
    invoked: performance.now(),
    responded: Number.POSITIVE_INFINITY,
  };
  histories.get(petId)?.push(write);
  const { status, body } = await run.patch(petId, `{"quantity":${write.value}}`);
  if (status === 200) {
    write.responded = performance.now();
    expect(body).toEqual({
      petId: BigInt(petId),
      quantity: BigInt(write.value),
      status: expect.any(String),
    });
  }
  return status;
};

/** Returns the response to a list, with the times of its request. */
const list = async (run: Service) => {
  const invoked = performance.now();
  const { status, body } = await run.send({ path: '/inventory' });
  return { status, body, invoked, responded: performance.now() };
};

/**
 * Reads the list, which must have every entry once, and records each quantity. An entry's initial
 * quantity counts as written before all other operations.
 */
export const readAll = async (run: Service, histories: Histories): Promise<void> => {
  const { status, body, invoked, responded } = await unthrottled(() => list(run));
  expect(status).toBe(200);
  const entries = body as { petId: bigint; quantity: bigint }[];
  if (histories.size > 0) {
    expect(entries.map(({ petId }) => String(petId)).sort()).toEqual([...histories.keys()].sort());
  }
  for (const { petId, quantity } of entries) {
    const value = Number(quantity);
    const history = histories.get(String(petId)) ?? [
      { kind: 'write', value, invoked: -2, responded: -1 },
    ];
    history.push({ kind: 'read', value, invoked, responded });
    histories.set(String(petId), history);
  }
};

/**
 * Returns the petIds whose history cannot be explained by any order of the operations, each with
 * the reason.
 */
export const contradictions = (
  histories: Histories,
): [petId: string, reason: string | undefined][] =>
  [...histories]
    .map(([petId, history]): [string, string | undefined] => [petId, contradiction(history)])
    .filter(([, reason]) => reason !== undefined);

/**
 * Has this many clients call `act` repeatedly until `happening` settles. If anything fails, it
 * waits for the others to end, so that none of them disturbs the next test.
 */
export const meanwhile = async (
  happening: Promise<unknown>,
  clients: number,
  act: () => Promise<void>,
): Promise<void> => {
  const over = new AbortController();
  const client = async () => {
    while (!over.signal.aborted) {
      await act();
    }
  };
  const running = [
    happening.finally(() => over.abort()),
    ...Array.from({ length: clients }, client),
  ];
  try {
    await Promise.all(running);
  } finally {
    over.abort();
    await Promise.allSettled(running);
  }
};
