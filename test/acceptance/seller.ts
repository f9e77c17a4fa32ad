import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { etagOf, largest, look, newQuantity, testInStaging, update } from './service.ts';

const { petId } = largest;

/** Takes one for another client. */
const takeOne = async (): Promise<void> => {
  const item = await look(petId);
  const taken = { quantity: item.quantity - 1n, ifMatch: etagOf(item) };
  if ((await update(petId, taken)).status !== 200) {
    // The request of a seller that was killed was still under way.
    await takeOne();
  }
};

/**
 * Sells one, as docs/api.md says: the key of each try is made of the order and the number of the try.
 * `step` is called wherever the seller may be killed: it then throws.
 */
const sell = async (order: string, step = async () => {}): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const item = await look(petId);
    await step();
    const key = `${order}-${attempt}`;
    const sent = update(petId, { quantity: item.quantity - 1n, ifMatch: etagOf(item), key });
    // Whether it is applied is not known yet.
    await step();
    const { status, body } = await sent;
    await step();
    const { code } = body as { code?: string };
    if (status === 200 || code === 'already_applied') {
      return;
    }
    if (status !== 412 && code !== 'already_refused') {
      throw new Error(`Nothing was sold: ${status} ${code}.`);
    }
  }
};

// The first try is refused, because another client is faster. The second ends with the sixth step.
testInStaging.each([1, 2, 3, 4, 5, 6, 7])(
  'a seller that is killed at its step %i, and begins again, sells one',
  async (last) => {
    await update(petId, { quantity: newQuantity() });
    const item = await look(petId);
    const order = randomUUID();
    const killed = new Error('killed');
    let step = 0;
    const first = sell(order, async () => {
      step += 1;
      if (step === 1) {
        await takeOne();
      }
      if (step === last) {
        throw killed;
      }
    });
    await first.catch((error) => expect(error).toBe(killed));
    await takeOne();
    await sell(order);
    expect(await look(petId)).toStrictEqual({ ...item, quantity: item.quantity - 3n });
  },
);
