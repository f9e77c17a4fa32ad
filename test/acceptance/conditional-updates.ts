import { describe, expect, test } from '@jest/globals';
import { errorResponse, json } from '../support/http/http-client.ts';
import {
  absent,
  etagOf,
  type InventoryItem,
  largest,
  listed,
  look,
  mayChange,
  newQuantity,
  patch,
  rejecting,
  updateIf,
} from './service.ts';

const preconditionFailed = errorResponse(412, 'precondition_failed');

(mayChange ? describe : describe.skip)('PATCH /inventory/{petId} with If-Match', () => {
  test.each(['the ETag of the entry', '*'])(
    'applies an update whose If-Match is %s, and returns the new ETag',
    async (kind: string) => {
      const item = await look(largest);
      const ifMatch = kind === '*' ? '*' : etagOf(item);
      const updated = { ...item, quantity: newQuantity() };
      const { quantity } = updated;
      expect(await updateIf(item.petId, { quantity, ifMatch })).toMatchObject({
        status: 200,
        headers: { etag: etagOf(updated) },
        body: updated,
      });
      expect(await listed(item.petId)).toStrictEqual(updated);
    },
  );

  test.each([
    {
      what: 'another quantity',
      other: (item: InventoryItem) => etagOf({ ...item, quantity: item.quantity + 1n }),
    },
    {
      what: 'another status',
      other: (item: InventoryItem) =>
        etagOf({ ...item, status: item.status === 'sold' ? 'pending' : 'sold' }),
    },
    { what: 'a weak ETag', other: (item: InventoryItem) => `W/${etagOf(item)}` },
  ])(
    'rejects an update whose If-Match has $what, returns the ETag and changes nothing',
    async ({ other }: { other: (item: InventoryItem) => string }) => {
      const item = await look(largest);
      const update = { quantity: newQuantity(), ifMatch: other(item) };
      const response = await updateIf(item.petId, update);
      expect(response).toMatchObject({ ...preconditionFailed, headers: { etag: etagOf(item) } });
      expect(await look(item)).toStrictEqual(item);
    },
  );

  test('applies one of two updates with the same ETag', async () => {
    const item = await look(largest);
    const responses = await Promise.all(
      [newQuantity(), newQuantity()].map((quantity) =>
        updateIf(item.petId, { quantity, ifMatch: etagOf(item) }),
      ),
    );
    expect(responses.toSorted((a, b) => a.status - b.status)).toMatchObject([
      { status: 200 },
      preconditionFailed,
    ]);
    // Both say how the entry is since then.
    expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(1);
  });
});

describe('PATCH /inventory/{petId} with a condition', () => {
  test.each([
    { header: 'If-Match', value: '7-available', code: 'invalid_if_match' },
    { header: 'If-Match', value: '"7-sold", "8-sold"', code: 'invalid_if_match' },
    { header: 'If-None-Match', value: '*', code: 'invalid_if_match' },
    { header: 'Idempotency-Key', value: 'two words', code: 'invalid_idempotency_key' },
  ])(
    'is rejected if it is $header: $value',
    async ({ header, value, code }: Record<'header' | 'value' | 'code', string>) => {
      const body = `{"quantity":${newQuantity()}}`;
      const response = await patch(rejecting, body, { ...json, [header]: value });
      expect(response).toMatchObject({ status: 400, body: { code } });
    },
  );

  test('finds no entry, whatever its ETag', async () => {
    const update = { quantity: newQuantity(), ifMatch: '"7-available"' };
    const response = await updateIf(absent, update);
    expect(response).toMatchObject(errorResponse(404, 'pet_not_found'));
    expect(response.headers).not.toHaveProperty('idempotency-key');
  });
});
