import { describe, expect, test } from '@jest/globals';
import { errorResponse } from './http-client.ts';
import { type Checked, list, restoring } from './inventory.ts';
import type { InventoryItem } from './inventory-item.ts';
import type { Message } from './raw-request.ts';
import { repeated } from './repeated.ts';

/** Defines the checks of PATCH /inventory/{petId}. */
export const updateInventory = (service: Checked): void =>
  describe('PATCH /inventory/{petId}', () => {
    if (!service.readOnly) {
      setsQuantities(service);
    }
    createsNoEntry(service);
    readsBodiesUpToTheirLimit(service);
    rejectsInvalidUpdates(service);
  });

const setsQuantities = (service: Checked): void => {
  const expectUpdated = async (petId: bigint | string, quantity: string, updated: InventoryItem) =>
    expect(await service.patch(petId, `{"quantity":${quantity}}`)).toMatchObject({
      status: 200,
      body: updated,
    });

  // These two petIds would be the first to lose digits.
  test.each(['smallest', 'largest'])(
    'sets the quantity of the %s petId, percent-encoded or not',
    repeated(async (which: string) => {
      const item = service.items.at(which === 'smallest' ? 0 : -1) as InventoryItem;
      const updated = { ...item, quantity: item.quantity === 7n ? 8n : 7n };
      const encoded = String(item.petId).replaceAll(
        /./g,
        (digit) => `%${digit.charCodeAt(0).toString(16)}`,
      );
      await restoring(service, item, async () => {
        await expectUpdated(encoded, '6', { ...item, quantity: 6n });
        await expectUpdated(item.petId, String(updated.quantity), updated);
        expect(await list(service)).toContainEqual(updated);
      });
      expect(await list(service)).toContainEqual(item);
    }),
  );

  test.each(['0', '9007199254740991', '1.0', '1e2', ' 5 '])(
    'accepts {"quantity":%s}',
    repeated(async (quantity: string) => {
      const item = service.items[0] as InventoryItem;
      const updated = { ...item, quantity: BigInt(Number(quantity)) };
      await restoring(service, item, () => expectUpdated(item.petId, quantity, updated));
    }),
  );
};

const createsNoEntry = (service: Checked): void =>
  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])(
    'accepts the Content-Type %s, and creates no entry',
    repeated(async (type: string) => {
      const headers = { 'Content-Type': type };
      expect(await service.patch(service.absent, '{"quantity":7}', headers)).toMatchObject(
        errorResponse(404, 'pet_not_found', 'No inventory entry has this petId.'),
      );
    }),
  );

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

interface InvalidUpdate {
  what: string;
  petId?: string;
  headers?: Message['headers'];
  body?: string | undefined;
  code: string;
  message: string;
}

const quantityMustBe = 'quantity must be an integer from 0 to 9007199254740991';
const petIdMustBe =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, ' +
  'in digits without leading zeros';

/** One update for each error, and those that API Gateway could change on their way. */
const invalidUpdates: InvalidUpdate[] = [
  {
    what: 'petId is no number',
    petId: 'abc',
    code: 'invalid_pet_id',
    message: `${petIdMustBe}, not "abc".`,
  },
  {
    what: 'petId is beyond 64 bits',
    petId: '9223372036854775808',
    code: 'invalid_pet_id',
    message: `${petIdMustBe}, not "9223372036854775808".`,
  },
  {
    what: 'petId begins with an encoded space',
    petId: '%201',
    code: 'invalid_pet_id',
    message: `${petIdMustBe}, not " 1".`,
  },
  {
    what: 'petId is an encoded digit of another script',
    petId: '%D9%A1',
    code: 'invalid_pet_id',
    message: `${petIdMustBe}, not "١".`,
  },
  {
    what: 'Content-Type is missing',
    headers: {},
    code: 'unsupported_content_type',
    message: 'Content-Type must be application/json, and is missing.',
  },
  {
    what: 'Content-Type is that of a form',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    code: 'unsupported_content_type',
    message: 'Content-Type must be application/json, not "application/x-www-form-u…".',
  },
  {
    what: 'body is missing',
    body: undefined,
    code: 'invalid_body',
    message: 'A body is required: {"quantity": <integer>}.',
  },
  {
    what: 'body is cut off',
    body: '{"quantity":7',
    code: 'invalid_body',
    message: 'The body is not valid JSON.',
  },
  {
    what: 'body has a status',
    body: '{"quantity":7,"status":"sold"}',
    code: 'invalid_body',
    message: 'The body must have no property but quantity, and has "status".',
  },
  {
    what: 'quantity is missing',
    body: '{}',
    code: 'invalid_quantity',
    message: 'quantity is missing: it must be an integer from 0 to 9007199254740991.',
  },
  {
    what: 'quantity is negative',
    body: '{"quantity":-1}',
    code: 'invalid_quantity',
    message: `${quantityMustBe}, not a negative number.`,
  },
  {
    what: 'quantity would be rounded to an integer',
    body: '{"quantity":1.0000000000000000001}',
    code: 'invalid_quantity',
    message: `${quantityMustBe}, not a fraction.`,
  },
];

const rejectsInvalidUpdates = (service: Checked): void =>
  test.each(invalidUpdates)(
    'rejects an update whose $what',
    repeated(async ({ code, message, ...update }: InvalidUpdate) => {
      const { petId, body, headers } = {
        petId: service.rejecting,
        body: '{"quantity":8}',
        headers: { 'Content-Type': 'application/json' },
        ...update,
      };
      expect(await service.patch(petId, body, headers)).toMatchObject(
        errorResponse(400, code, message),
      );
    }),
  );
