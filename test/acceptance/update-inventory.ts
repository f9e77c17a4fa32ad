import { describe, expect, test } from '@jest/globals';
import { errorResponse, json } from '../support/http/http-client.ts';
import type { Message } from '../support/http/raw-request.ts';
import {
  absent,
  etagOf,
  type InventoryItem,
  largest,
  list,
  listed,
  mayChange,
  newQuantity,
  patch,
  rejecting,
  smallest,
} from './service.ts';

/** Sets the quantity of an entry, whose petId may be written in another way. */
const expectUpdated = async (petId: bigint | string, updated: InventoryItem) =>
  expect(await patch(petId, `{"quantity":${updated.quantity}}`)).toMatchObject({
    status: 200,
    headers: { etag: etagOf(updated) },
    body: updated,
  });

const percentEncoded = (petId: bigint): string =>
  String(petId).replaceAll(/./g, (digit) => `%${digit.charCodeAt(0).toString(16)}`);

(mayChange ? describe : describe.skip)('PATCH /inventory/{petId}', () => {
  test.each([
    { which: 'smallest', entry: smallest },
    { which: 'largest', entry: largest },
  ])(
    'sets the quantity of the $which petId, percent-encoded or not, and the list has it',
    async ({ entry }) => {
      for (const petId of [percentEncoded(entry.petId), entry.petId]) {
        const updated = { ...entry, quantity: newQuantity() };
        await expectUpdated(petId, updated);
        expect(await listed(entry.petId)).toStrictEqual(updated);
      }
    },
  );

  test.each([0n, 9_007_199_254_740_991n])('sets the quantity %d', (quantity) =>
    expectUpdated(smallest.petId, { ...smallest, quantity }),
  );

  test.each(['-9223372036854775808', '9223372036854775807'])(
    'takes %s for a petId',
    async (petId) => {
      // There may be an entry, so the update is one that is rejected for its body.
      const response = await patch(petId, '{}');
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_quantity' } });
    },
  );
});

const wrong = newQuantity();

/** Updates that are rejected, by the code of the error. What an error says is for people. */
const invalid = {
  invalid_pet_id: [
    { what: 'petId is no number', petId: 'abc' },
    { what: 'petId has more than 64 bits', petId: '9223372036854775808' },
    { what: 'petId begins with an encoded space', petId: '%201' },
    { what: 'petId is an encoded digit of another script', petId: '%D9%A1' },
  ],
  unsupported_content_type: [
    { what: 'Content-Type is missing', headers: {} },
    {
      what: 'Content-Type is that of a form',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    },
  ],
  invalid_body: [
    { what: 'body is missing', body: undefined },
    { what: 'body is empty', body: '' },
    { what: 'body is cut off', body: `{"quantity":${wrong}` },
    { what: 'body is an array', body: `[{"quantity":${wrong}}]` },
    { what: 'body is an update with a status', body: `{"quantity":${wrong},"status":"sold"}` },
  ],
  invalid_quantity: [
    { what: 'quantity is missing', body: '{}' },
    { what: 'quantity is negative', body: `{"quantity":-${wrong}}` },
    { what: 'quantity is too large', body: '{"quantity":9007199254740992}' },
    { what: 'quantity is no integer', body: `{"quantity":${wrong}.5}` },
    { what: 'quantity is a string', body: `{"quantity":"${wrong}"}` },
  ],
} satisfies Record<string, InvalidUpdate[]>;

interface InvalidUpdate {
  what: string;
  petId?: string;
  headers?: Message['headers'];
  body?: string | undefined;
}

const invalidUpdates = Object.entries<InvalidUpdate[]>(invalid).flatMap(([code, updates]) =>
  updates.map((update) => ({ code, update })),
);

describe('PATCH /inventory/{petId} that changes nothing', () => {
  test.each(invalidUpdates)(
    'rejects an update whose $update.what',
    async ({ code, update }: (typeof invalidUpdates)[number]) => {
      const { petId, body, headers } = {
        petId: rejecting,
        body: `{"quantity":${wrong}}`,
        headers: json,
        ...update,
      };
      const response = await patch(petId, body, headers);
      expect(response).toMatchObject(errorResponse(400, code));
    },
  );

  test('reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large', async () => {
    const ofBytes = (bytes: number) => patch(absent, `"${'é'.repeat(bytes / 2 - 1)}"`);
    expect(await ofBytes(4_096)).toMatchObject(errorResponse(400, 'invalid_body'));
    expect(await ofBytes(4_098)).toMatchObject(errorResponse(413, 'request_too_large'));
  });

  test.each([
    { path: '', type: 'application/json' },
    { path: '/?quantity=8', type: 'Application/JSON; charset=utf-8' },
  ])(
    'creates no entry, asked for at {petId}$path with the Content-Type $type',
    async ({ path, type }: { path: string; type: string }) => {
      const headers = { 'Content-Type': type };
      const response = await patch(`${absent}${path}`, `{"quantity":${wrong}}`, headers);
      expect(response).toMatchObject(errorResponse(404, 'pet_not_found'));
    },
  );

  // Prod's list may be large.
  (mayChange ? test : test.skip)('creates, changes and removes no entry', async () => {
    const quantities = new Map((await list()).map(({ petId, quantity }) => [petId, quantity]));
    expect(quantities.has(absent)).toBe(false);
    expect(quantities.has(rejecting)).toBe(true);
    expect(quantities.get(rejecting)).not.toBe(wrong);
  });
});
