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

interface InvalidUpdate {
  what: string;
  petId?: string;
  headers?: Message['headers'];
  body?: string | undefined;
  code: string;
  message: string;
}

/** Why a petId is wrong, and how a message shows it. API Gateway decodes those with a %. */
const invalidPetIds: InvalidUpdate[] = [
  { what: 'is no number', petId: 'abc', shown: 'abc' },
  { what: 'has more than 64 bits', petId: '9223372036854775808', shown: '9223372036854775808' },
  { what: 'begins with an encoded space', petId: '%201', shown: ' 1' },
  { what: 'is an encoded digit of another script', petId: '%D9%A1', shown: '١' },
].map(({ what, petId, shown }) => ({
  what: `petId ${what}`,
  petId,
  code: 'invalid_pet_id',
  message:
    'petId must be an integer from -9223372036854775808 to 9223372036854775807, ' +
    `in digits without leading zeros, not "${shown}".`,
}));

const invalidTypes: InvalidUpdate[] = [
  { what: 'missing', headers: {}, given: 'and is missing' },
  {
    what: 'that of a form',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    given: 'not "application/x-www-form-u…"',
  },
].map(({ what, headers, given }) => ({
  what: `Content-Type is ${what}`,
  headers,
  code: 'unsupported_content_type',
  message: `Content-Type must be application/json, ${given}.`,
}));

const wrong = rejectedQuantity;
const object = '{"quantity": <integer>}';

const invalidBodies: InvalidUpdate[] = [
  { what: 'missing', body: undefined, message: `A body is required: ${object}.` },
  { what: 'empty', body: '', message: `A body is required: ${object}.` },
  {
    what: 'cut off',
    body: `{"quantity":${wrong}`,
    message: 'The body must be JSON in UTF-8, uncompressed, and is not.',
  },
  {
    what: 'an array',
    body: `[{"quantity":${wrong}}]`,
    message: `The body must be a JSON object, ${object}, not an array.`,
  },
  {
    what: 'an update with a status',
    body: `{"quantity":${wrong},"status":"sold"}`,
    message: 'The body must have no property but quantity, and has "status".',
  },
].map((update) => ({ ...update, what: `body is ${update.what}`, code: 'invalid_body' }));

const range = 'an integer from 0 to 9007199254740991';

const invalidQuantities: InvalidUpdate[] = [
  { what: 'missing', body: '{}', message: `quantity is missing: it must be ${range}.` },
  ...[
    { what: 'negative', quantity: `-${wrong}`, kind: 'a negative number' },
    { what: 'too large', quantity: '9007199254740992', kind: 'a larger number' },
    { what: 'almost an integer', quantity: `${wrong}.00000000000000000001`, kind: 'a fraction' },
    { what: 'a string', quantity: `"${wrong}"`, kind: 'a string' },
  ].map(({ what, quantity, kind }) => ({
    what,
    body: `{"quantity":${quantity}}`,
    message: `quantity must be ${range}, not ${kind}.`,
  })),
].map((update) => ({ ...update, what: `quantity is ${update.what}`, code: 'invalid_quantity' }));

(keyMayWrite ? describe : describe.skip)('PATCH /inventory/{petId} that changes nothing', () => {
  test.each([...invalidPetIds, ...invalidTypes, ...invalidBodies, ...invalidQuantities])(
    'rejects an update whose $what',
    repeated(async ({ code, message, ...update }: InvalidUpdate) => {
      const { petId, body, headers } = {
        petId: rejecting.petId,
        body: `{"quantity":${wrong}}`,
        headers: json,
        ...update,
      };
      const response = await patch(petId, body, headers);
      expect(response).toMatchObject(errorResponse(400, code, message));
    }),
  );

  test(
    'reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large',
    repeated(async () => {
      const ofBytes = (bytes: number) => patch(absent, `"${'é'.repeat(bytes / 2 - 1)}"`);
      const notObject = `The body must be a JSON object, ${object}, not a string.`;
      expect(await ofBytes(4_096)).toMatchObject(errorResponse(400, 'invalid_body', notObject));
      const tooLarge = 'The body must have at most 4096 bytes, not 4098.';
      expect(await ofBytes(4_098)).toMatchObject(errorResponse(413, 'request_too_large', tooLarge));
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
      expect(response).toMatchObject(
        errorResponse(404, 'pet_not_found', 'No inventory entry has this petId.'),
      );
    }),
  );
});
