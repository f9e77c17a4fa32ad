import { describe, expect, test } from '@jest/globals';
import { errorResponse, json } from '../support/http/http-client.ts';
import type { Message } from '../support/http/raw-request.ts';
import { changing, etagOf, newQuantity, rejectedQuantity, specialQuantities } from './changing.ts';
import { repeated } from './repeated.ts';
import { type Checked, type InventoryItem, listed } from './service.ts';

/** Defines the checks of PATCH /inventory/{petId}. */
export const updateInventory = (service: Checked): void =>
  describe('PATCH /inventory/{petId}', () => {
    if (!service.readOnly) {
      setsQuantities(service);
      readsEveryInt64(service);
    }
    createsNoEntry(service);
    readsBodiesUpToTheirLimit(service);
    rejectsInvalidUpdates(service);
  });

const setsQuantities = (service: Checked): void => {
  const expectUpdated = async (
    petId: bigint | string,
    quantity: string,
    updated: InventoryItem,
  ): Promise<void> =>
    expect(await service.patch(petId, `{"quantity":${quantity}}`)).toMatchObject({
      status: 200,
      headers: { etag: etagOf(updated) },
      body: updated,
    });

  // These two petIds would be the first to lose digits.
  test.each(['smallest', 'largest'])(
    'sets the quantity of the %s petId, percent-encoded or not, and the list has it',
    repeated(async (which: string) => {
      const found = service.items().at(which === 'smallest' ? 0 : -1) as InventoryItem;
      await changing(service, found, async (item) => {
        const encoded = String(item.petId).replaceAll(
          /./g,
          (digit) => `%${digit.charCodeAt(0).toString(16)}`,
        );
        for (const petId of [encoded, item.petId]) {
          const updated = { ...item, quantity: newQuantity() };
          await expectUpdated(petId, String(updated.quantity), updated);
          expect(await listed(service, item.petId)).toStrictEqual(updated);
        }
      });
    }),
  );

  test.each(specialQuantities)(
    'accepts {"quantity":%s}',
    repeated(async (quantity: string) => {
      await changing(service, service.items()[0] as InventoryItem, (item) =>
        expectUpdated(item.petId, quantity, { ...item, quantity: BigInt(Number(quantity)) }),
      );
    }),
  );
};

const notFound = errorResponse(404, 'pet_not_found', 'No inventory entry has this petId.');

const createsNoEntry = (service: Checked): void => {
  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])(
    'accepts the Content-Type %s, and creates no entry',
    repeated(async (type: string) => {
      const headers = { 'Content-Type': type };
      expect(await service.patch(service.absent, '{"quantity":7}', headers)).toMatchObject(
        notFound,
      );
    }),
  );

  test(
    'is also found with a final slash and a query',
    repeated(async () => {
      const petId = `${service.absent}/?quantity=8`;
      expect(await service.patch(petId, '{"quantity":7}')).toMatchObject(notFound);
    }),
  );
};

const readsBodiesUpToTheirLimit = (service: Checked): void =>
  test(
    'reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large',
    repeated(async () => {
      const ofBytes = (bytes: number) =>
        service.patch(service.absent, `"${'é'.repeat(bytes / 2 - 1)}"`);
      const notObject = 'The body must be a JSON object, {"quantity": <integer>}, not a string.';
      expect(await ofBytes(4_096)).toMatchObject(errorResponse(400, 'invalid_body', notObject));
      const tooLarge = 'The body must have at most 4096 bytes, not 4098.';
      expect(await ofBytes(4_098)).toMatchObject(errorResponse(413, 'request_too_large', tooLarge));
    }),
  );

const readsEveryInt64 = (service: Checked): void =>
  test.each(['-9223372036854775808', '9223372036854775807'])(
    'takes %s for a petId',
    repeated(async (petId: string) => {
      // There may be an entry, so the update is one that is rejected for its body. A read-only run
      // does not send even that.
      expect(await service.patch(petId, '{}')).toMatchObject({
        status: 400,
        body: { code: 'invalid_quantity' },
      });
    }),
  );

interface InvalidUpdate {
  what: string;
  petId?: string;
  headers?: Message['headers'];
  body?: string | undefined;
  code: string;
  /** Left out where only its code tells something of the way through API Gateway. */
  message?: string;
}

const wrong = rejectedQuantity;
const quantityMustBe = 'quantity must be an integer from 0 to 9007199254740991';
const petIdMustBe =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, ' +
  'in digits without leading zeros';

/** What is no petId, and how a message shows it. API Gateway decodes those with a %. */
const invalidPetIds: InvalidUpdate[] = [
  { what: 'is no number', petId: 'abc', shown: 'abc' },
  ...['9223372036854775808', '-9223372036854775809', '01', '-0', '+1', '1.0', '1e2'].map(
    (petId) => ({ what: `is ${petId}`, petId, shown: petId }),
  ),
  { what: 'begins with an encoded space', petId: '%201', shown: ' 1' },
  { what: 'is an encoded digit of another script', petId: '%D9%A1', shown: '١' },
].map(({ what, petId, shown }) => ({
  what: `petId ${what}`,
  petId,
  code: 'invalid_pet_id',
  message: `${petIdMustBe}, not "${shown}".`,
}));

const invalidTypes: InvalidUpdate[] = [
  { what: 'missing', headers: {}, message: ', and is missing' },
  ...[
    { type: 'application/x-www-form-urlencoded', shown: 'application/x-www-form-u…' },
    { type: 'application/merge-patch+json', shown: 'application/merge-patch+…' },
    { type: 'text/plain', shown: 'text/plain' },
  ].map(({ type, shown }) => ({
    what: type,
    headers: { 'Content-Type': type },
    message: `, not "${shown}"`,
  })),
].map(({ what, headers, message }) => ({
  what: `Content-Type is ${what}`,
  headers,
  code: 'unsupported_content_type',
  message: `Content-Type must be application/json${message}.`,
}));

const object = '{"quantity": <integer>}';

const invalidBodies: InvalidUpdate[] = [
  { what: 'missing', body: undefined, message: `A body is required: ${object}.` },
  { what: 'empty', body: '', message: `A body is required: ${object}.` },
  { what: 'cut off', body: `{"quantity":${wrong}` },
  { what: 'two values', body: `{"quantity":${wrong}}{}` },
  {
    what: 'null',
    body: 'null',
    message: `The body must be a JSON object, ${object}, not null.`,
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

const invalidQuantities: InvalidUpdate[] = [
  {
    what: 'missing',
    body: '{}',
    message: 'quantity is missing: it must be an integer from 0 to 9007199254740991.',
  },
  ...[
    { what: 'negative', quantity: `-${wrong}`, kind: 'a negative number' },
    { what: 'too large', quantity: '9007199254740992', kind: 'a larger number' },
    {
      what: 'almost an integer',
      quantity: `${wrong}.00000000000000000001`,
      kind: 'a fraction',
    },
    { what: 'a string', quantity: `"${wrong}"`, kind: 'a string' },
    { what: 'null', quantity: 'null', kind: 'null' },
  ].map(({ what, quantity, kind }) => ({
    what,
    body: `{"quantity":${quantity}}`,
    message: `${quantityMustBe}, not ${kind}.`,
  })),
].map((update) => ({ ...update, what: `quantity is ${update.what}`, code: 'invalid_quantity' }));

const rejectsInvalidUpdates = (service: Checked): void =>
  test.each([...invalidPetIds, ...invalidTypes, ...invalidBodies, ...invalidQuantities])(
    'rejects an update whose $what',
    repeated(async ({ code, message, ...update }: InvalidUpdate) => {
      const { petId, body, headers } = {
        petId: service.rejecting,
        body: `{"quantity":${wrong}}`,
        headers: json,
        ...update,
      };
      expect(await service.patch(petId, body, headers)).toMatchObject({
        status: 400,
        body: { code, ...(message !== undefined && { message }), status: 400n },
      });
    }),
  );
