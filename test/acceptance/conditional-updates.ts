import { expect } from '@jest/globals';
import { errorResponse } from '../support/http/http-client.ts';
import { etagOf, largest, look, newQuantity, testInStaging, update } from './service.ts';

const { petId } = largest;
const preconditionFailed = errorResponse(412, 'precondition_failed');

testInStaging.each(['its ETag', 'any ETag'])(
  'If-Match: an update with %s is applied, and returns the new ETag',
  async (which) => {
    const item = await look(petId);
    const updated = { ...item, quantity: newQuantity() };
    const ifMatch = which === 'its ETag' ? etagOf(item) : '*';
    expect(await update(petId, { quantity: updated.quantity, ifMatch })).toMatchObject({
      status: 200,
      headers: { etag: etagOf(updated) },
      body: updated,
    });
    expect(await look(petId)).toStrictEqual(updated);
  },
);

testInStaging(
  'If-Match: an update with another ETag is refused, and says how the entry is',
  async () => {
    const item = await look(petId);
    for (const ifMatch of [
      etagOf({ ...item, quantity: item.quantity + 1n }),
      etagOf({ ...item, status: item.status === 'sold' ? 'pending' : 'sold' }),
      `W/${etagOf(item)}`,
    ]) {
      expect(await update(petId, { quantity: newQuantity(), ifMatch })).toMatchObject({
        ...preconditionFailed,
        headers: { etag: etagOf(item) },
      });
    }
    expect(await look(petId)).toStrictEqual(item);
  },
);

testInStaging(
  'If-Match: of two with the same ETag, one is applied, and both say how the entry is',
  async () => {
    const ifMatch = etagOf(await look(petId));
    const responses = await Promise.all(
      [newQuantity(), newQuantity()].map((quantity) => update(petId, { quantity, ifMatch })),
    );
    const etag = etagOf(await look(petId));
    expect(responses.toSorted((a, b) => a.status - b.status)).toMatchObject([
      { status: 200, headers: { etag } },
      { ...preconditionFailed, headers: { etag } },
    ]);
  },
);
