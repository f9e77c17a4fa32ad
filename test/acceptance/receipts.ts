// What a client sees of receipts: the same request gets the same response, and is applied once.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { errorResponse } from '../support/http/http-client.ts';
import type { HttpResponse } from '../support/http/raw-request.ts';
import { sell } from './seller.ts';
import {
  absent,
  etagOf,
  etagOfNone,
  type InventoryItem,
  largest,
  look,
  mayChange,
  newQuantity,
  updateIf,
} from './service.ts';

const alreadyUsed = (code: string, etag: string) => ({
  ...errorResponse(422, code),
  headers: { etag },
});

/** What of a response is the same whenever a request is sent again. */
const same = ({ status, headers, text }: HttpResponse) => {
  const others = Object.entries(headers).filter(([name]) => !/^(date|x-amz.*)$/.test(name));
  return { status, headers: Object.fromEntries(others), text };
};

/** Sends an update with a key, and again: when the stock has changed, and when it has come back. */
const decide = async (item: InventoryItem, ifMatch: string | undefined) => {
  const update = { quantity: newQuantity(), key: randomUUID(), ...(ifMatch && { ifMatch }) };
  const send = async () => same(await updateIf(item.petId, update));
  const first = await send();
  await updateIf(item.petId, { quantity: newQuantity() });
  const changed = await send();
  await updateIf(item.petId, { quantity: item.quantity });
  expect([changed, await send()]).toStrictEqual([first, first]);
  expect(await look(item)).toStrictEqual(item);
  expect(first.headers).toMatchObject({ 'idempotency-key': update.key });
  return { first, update };
};

/** Takes one for another client. */
const takeOne = async (item: InventoryItem): Promise<void> => {
  const now = await look(item);
  const update = { quantity: now.quantity - 1n, ifMatch: etagOf(now) };
  if ((await updateIf(item.petId, update)).status !== 200) {
    // The request of a seller that was killed was still under way.
    await takeOne(item);
  }
};

/**
 * Sells one, but is killed after so many steps. Another client takes one when it has listed the
 * stock, so that its first try is refused. Returns whether it was done before.
 */
const sellUntil = async (steps: number, item: InventoryItem, order: string): Promise<boolean> => {
  const killed = new Error('killed');
  let taken = 0;
  const step = async () => {
    taken += 1;
    if (taken === 2) {
      await takeOne(item);
    }
    if (taken > steps) {
      throw killed;
    }
  };
  return sell(item.petId, order, step).then(
    () => true,
    (error) => (error === killed ? false : Promise.reject(error)),
  );
};

(mayChange ? describe : describe.skip)('PATCH /inventory/{petId} with an Idempotency-Key', () => {
  test.each(['its ETag', 'any ETag', 'no ETag'])(
    'with %s, is applied once, and a repeated one gets the same response',
    async (kind: string) => {
      const item = await look(largest);
      const ifMatch = { 'its ETag': etagOf(item), 'any ETag': '*' }[kind];
      const { first, update } = await decide(item, ifMatch);
      const etag = etagOf({ ...item, quantity: update.quantity });
      expect(first).toMatchObject({ status: 200, headers: { etag } });
      for (const other of [
        { quantity: newQuantity() },
        { ifMatch: etagOf({ ...item, quantity: item.quantity + 1n }) },
      ]) {
        expect(await updateIf(item.petId, { ...update, ...other })).toMatchObject(
          alreadyUsed('already_applied', etag),
        );
      }
      expect(await look(item)).toStrictEqual(item);
    },
  );

  test('is refused for good, and a repeated one gets the same response', async () => {
    const item = await look(largest);
    const matching = newQuantity();
    const { first, update } = await decide(item, etagOf({ ...item, quantity: matching }));
    const etag = etagOf(item);
    expect(first).toMatchObject({ status: 412, headers: { etag } });
    expect(await updateIf(item.petId, { quantity: matching })).toMatchObject({ status: 200 });
    expect(same(await updateIf(item.petId, update))).toStrictEqual(first);
    for (const other of [{ quantity: newQuantity() }, { ifMatch: etag }]) {
      expect(await updateIf(item.petId, { ...update, ...other })).toMatchObject(
        alreadyUsed('already_refused', etag),
      );
    }
    expect(await look(item)).toStrictEqual({ ...item, quantity: matching });
  });

  test('sells one if it is sent twenty times at once', async () => {
    const item = await look(largest);
    const update = { quantity: newQuantity(), ifMatch: etagOf(item), key: randomUUID() };
    const all = await Promise.all(Array.from({ length: 20 }, () => updateIf(item.petId, update)));
    const etag = etagOf({ ...item, quantity: update.quantity });
    expect(all[0]).toMatchObject({ status: 200, headers: { etag } });
    expect(new Set(all.map((each) => JSON.stringify(same(each)))).size).toBe(1);
    expect(await look(item)).toStrictEqual({ ...item, quantity: update.quantity });
  });
});

(mayChange ? describe : describe.skip)('A seller', () => {
  test('sells one if it is killed at any step, and begins again', async () => {
    const item = await look(largest);
    let stock = newQuantity();
    await updateIf(item.petId, { quantity: stock });
    let isSold = false;
    for (let steps = 0; !isSold; steps++) {
      const order = randomUUID();
      isSold = await sellUntil(steps, item, order);
      await takeOne(item);
      await sell(item.petId, order, async () => {});
      // Before its first try, another client takes one, too.
      stock -= steps === 0 ? 2n : 3n;
      expect({ steps, ...(await look(item)) }).toStrictEqual({ steps, ...item, quantity: stock });
    }
  });
});

test.each(['"7-available"', '*', undefined])(
  'Without an entry, an update with a key is refused for good, and no other has its key: If-Match %s',
  async (ifMatch: string | undefined) => {
    const update = { quantity: newQuantity(), key: randomUUID(), ...(ifMatch && { ifMatch }) };
    const first = await updateIf(absent, update);
    expect(first).toMatchObject(errorResponse(404, 'pet_not_found'));
    expect(first.headers['idempotency-key']).toBe(update.key);
    expect(same(await updateIf(absent, update))).toStrictEqual(same(first));
    const other = await updateIf(absent, { ...update, ifMatch: '"7-sold"' });
    expect(other).toMatchObject(errorResponse(422, 'already_refused'));
    expect(other.headers).not.toHaveProperty('etag');
  },
);

// Also in prod, where another client may change the entry meanwhile.
test('An update whose ETag matches none is refused for good, and says how the entry is', async () => {
  const update = { quantity: newQuantity(), ifMatch: etagOfNone, key: randomUUID() };
  const { petId } = largest;
  const first = await updateIf(petId, update);
  expect(first).toMatchObject({
    ...errorResponse(412, 'precondition_failed'),
    headers: { etag: expect.stringMatching(/^"\d+-/), 'idempotency-key': update.key },
  });
  expect(same(await updateIf(petId, update))).toStrictEqual(same(first));
});
