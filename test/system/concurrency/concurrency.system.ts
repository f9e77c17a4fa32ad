import { expect, test } from '@jest/globals';
import { unthrottled } from '../../support/http/unthrottled.ts';
import { faultyRun } from '../faults/faulty-run.ts';

interface Item {
  petId: bigint;
  quantity: bigint;
}

// Two items a page, so that a list has several pages and is read in segments.
const run = await faultyRun(2);

/** Returns the quantities by petId. */
const list = async (): Promise<Map<bigint, bigint>> => {
  const { body } = await unthrottled(() => run.send({ path: '/inventory' }));
  return new Map((body as Item[]).map(({ petId, quantity }) => [petId, quantity]));
};

const petIds = [...(await list()).keys()];

test('of a hundred updates at the same time each succeeds, and all lists show the same', async () => {
  const [petId = 0n] = petIds;
  const quantities = Array.from({ length: 100 }, (_, index) => BigInt(1_000 + index));
  const responses = await Promise.all(
    quantities.map((quantity) => run.patch(petId, `{"quantity":${quantity}}`)),
  );
  const updated = quantities.map((quantity) => ({ status: 200, body: { petId, quantity } }));
  expect(responses).toMatchObject(updated);

  const shown = (await list()).get(petId);
  expect(quantities).toContain(shown);
  expect((await list()).get(petId)).toBe(shown);
});

test('a list shows no item older than the last update that was acknowledged before it', async () => {
  await Promise.all(petIds.map((petId) => run.patch(petId, '{"quantity":2000}')));
  const sent = new Map(petIds.map((petId) => [petId, 2_000n]));
  const acknowledged = new Map<bigint, bigint>();
  let isUpdating = true;

  /** Counts one item up. */
  const countUp = async (petId: bigint) => {
    for (let quantity = 2_001n; quantity <= 2_030n; quantity++) {
      sent.set(petId, quantity);
      expect(await run.patch(petId, `{"quantity":${quantity}}`)).toMatchObject({ status: 200 });
      acknowledged.set(petId, quantity);
    }
  };
  let lists = 0;
  const listAll = async () => {
    const before = new Map(acknowledged);
    const shown = await list();
    lists += 1;
    expect([...shown.keys()].sort()).toEqual(petIds.toSorted());
    const isOlder = ([petId, quantity]: [bigint, bigint]) => (shown.get(petId) ?? 0n) < quantity;
    expect([...before].filter(isOlder)).toEqual([]);
    const isFromFuture = ([petId, quantity]: [bigint, bigint]) =>
      quantity > (sent.get(petId) ?? 0n);
    expect([...shown].filter(isFromFuture)).toEqual([]);
  };
  const keepListing = async () => {
    while (isUpdating) {
      await listAll();
    }
  };
  const updating = Promise.all(petIds.map(countUp)).finally(() => (isUpdating = false));
  await Promise.all([updating, keepListing()]);
  expect(lists).toBeGreaterThan(2);
  await listAll();
});
