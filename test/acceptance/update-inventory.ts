import { describe, expect, test } from '@jest/globals';
import { errorResponse, json } from '../support/http/http-client.ts';
import type { Message } from '../support/http/raw-request.ts';
import { changing, etagOf, extremes, newQuantity, rejectedQuantity } from './changing.ts';
import { repeated } from './repeated.ts';
import {
  absent,
  type InventoryItem,
  keyMayWrite,
  largest,
  listed,
  mayChange,
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
    ({ entry }) =>
      changing(entry, async (item) => {
        for (const petId of [percentEncoded(item.petId), item.petId]) {
          const updated = { ...item, quantity: newQuantity() };
          await expectUpdated(petId, updated);
          expect(await listed(item.petId)).toStrictEqual(updated);
        }
      })(),
  );

  test.each(extremes)(
    'sets the quantity %d',
    changing(smallest, (item, quantity: bigint) =>
      expectUpdated(item.petId, { ...item, quantity }),
    ),
  );

  test.each(['-9223372036854775808', '9223372036854775807'])(
    'takes %s for a petId',
    repeated(async (petId: string) => {
      // There may be an entry, so the update is one that is rejected for its body.
      const response = await patch(petId, '{}');
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_quantity' } });
    }),
  );
});

const wrong = rejectedQuantity;

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
    { what: 'quantity is almost an integer', body: `{"quantity":${wrong}.00000000000000000001}` },
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

(keyMayWrite ? describe : describe.skip)('PATCH /inventory/{petId} that changes nothing', () => {
  test.each(invalidUpdates)(
    'rejects an update whose $update.what',
    repeated(async ({ code, update }: (typeof invalidUpdates)[number]) => {
      const { petId, body, headers } = {
        petId: rejecting.petId,
        body: `{"quantity":${wrong}}`,
        headers: json,
        ...update,
      };
      const response = await patch(petId, body, headers);
      expect(response).toMatchObject(errorResponse(400, code));
    }),
  );

  test(
    'reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large',
    repeated(async () => {
      const ofBytes = (bytes: number) => patch(absent, `"${'é'.repeat(bytes / 2 - 1)}"`);
      expect(await ofBytes(4_096)).toMatchObject(errorResponse(400, 'invalid_body'));
      expect(await ofBytes(4_098)).toMatchObject(errorResponse(413, 'request_too_large'));
    }),
  );

  test.each([
    { path: '', type: 'application/json' },
    { path: '/?quantity=8', type: 'Application/JSON; charset=utf-8' },
  ])(
    'creates no entry, asked for at {petId}$path with the Content-Type $type',
    repeated(async ({ path, type }: { path: string; type: string }) => {
      const headers = { 'Content-Type': type };
      const response = await patch(`${absent}${path}`, `{"quantity":${wrong}}`, headers);
      expect(response).toMatchObject(errorResponse(404, 'pet_not_found'));
    }),
  );
});
