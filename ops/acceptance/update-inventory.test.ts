import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  absent,
  errorResponse,
  type InventoryItem,
  isReadOnly,
  json,
  keyMayWrite,
  list,
  patch,
  restoring,
} from './service.ts';

const notFound = errorResponse(404, 'pet_not_found', 'No inventory entry has this petId.');
const readOnlyKey = errorResponse(403, 'read_only_key', 'This API key may only read.');

/** The entry with the smallest petId, and the one with the largest: the first to lose digits. */
let smallest: InventoryItem;
let largest: InventoryItem;
/** Whose updates must be rejected; nobody's in a read-only run. */
let rejecting = absent;

beforeAll(async () => {
  if (isReadOnly) {
    return;
  }
  const items = await list();
  if (items.length === 0) {
    throw new Error('The list is empty. The checks change and restore the quantity of an entry.');
  }
  [smallest, largest] = [items[0] as InventoryItem, items.at(-1) as InventoryItem];
  rejecting = smallest.petId;
});

const writes = !isReadOnly && keyMayWrite ? describe : describe.skip;
const rejects = keyMayWrite ? describe : describe.skip;

const etagOf = ({ quantity, status }: Pick<InventoryItem, 'quantity' | 'status'>): string =>
  `"${quantity}-${status}"`;

writes('PATCH /inventory/{petId}', () => {
  test.each(['smallest', 'largest'])(
    'sets the quantity of the %s petId, percent-encoded or not',
    async (which) => {
      const item = which === 'smallest' ? smallest : largest;
      const encoded = [...String(item.petId)].map(
        (digit) => `%${digit.charCodeAt(0).toString(16)}`,
      );
      await restoring(item, async () => {
        expect(await patch(encoded.join(''), '{"quantity":6}')).toMatchObject({
          status: 200,
          headers: { etag: etagOf({ ...item, quantity: 6n }) },
          body: { ...item, quantity: 6n },
        });
        expect(await patch(item.petId, '{"quantity":7}')).toMatchObject({ status: 200 });
        expect(await list()).toContainEqual({ ...item, quantity: 7n });
      });
      expect(await list()).toContainEqual(item);
    },
  );

  test.each(['0', '9007199254740991', '1.0', '1e2'])(
    'accepts {"quantity":%s}',
    async (quantity) => {
      await restoring(smallest, async () => {
        const body = { ...smallest, quantity: BigInt(Number(quantity)) };
        expect(await patch(smallest.petId, `{"quantity":${quantity}}`)).toMatchObject({ body });
      });
    },
  );
});

writes('PATCH /inventory/{petId} with If-Match', () => {
  const update = (ifMatch: string, quantity: bigint) =>
    patch(largest.petId, `{"quantity":${quantity}}`, { ...json, 'If-Match': ifMatch });
  const preconditionFailed = errorResponse(
    412,
    'precondition_failed',
    'The entry is not as If-Match says. The ETag header says how it is now.',
  );

  test('applies an update whose ETag matches, and then rejects the same', async () => {
    await restoring(largest, async () => {
      const next = { ...largest, quantity: largest.quantity === 7n ? 6n : 7n };
      const first = await update(etagOf(largest), next.quantity);
      expect(first).toMatchObject({ status: 200, headers: { etag: etagOf(next) }, body: next });
      const second = await update(etagOf(largest), 5n);
      expect(second).toMatchObject({ ...preconditionFailed, headers: { etag: etagOf(next) } });
      expect(await list()).toContainEqual(next);
    });
  });

  test('applies one of two updates with the same ETag', async () => {
    await restoring(largest, async () => {
      const responses = await Promise.all([3n, 4n].map((each) => update(etagOf(largest), each)));
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 412]);
    });
  });
});

const petIdMustBe =
  'petId must be an integer from -9223372036854775808 to 9223372036854775807, ' +
  'in digits without leading zeros';

/** An update for each error, and those that API Gateway could change on their way. */
const invalidUpdates = [
  { petId: 'abc', code: 'invalid_pet_id', message: `${petIdMustBe}, not "abc".` },
  { petId: '%201', code: 'invalid_pet_id', message: `${petIdMustBe}, not " 1".` },
  { petId: '%D9%A1', code: 'invalid_pet_id', message: `${petIdMustBe}, not "١".` },
  {
    headers: {},
    code: 'unsupported_content_type',
    message: 'Content-Type must be application/json, and is missing.',
  },
  {
    body: '',
    code: 'invalid_body',
    message: 'A body is required: {"quantity": <integer>}.',
  },
  { body: '{"quantity":7', code: 'invalid_body', message: 'The body is not valid JSON.' },
  {
    body: '{"quantity":1.0000000000000000001}',
    code: 'invalid_quantity',
    message: 'quantity must be an integer from 0 to 9007199254740991, not a fraction.',
  },
  {
    headers: { ...json, 'If-Match': '7-available' },
    code: 'invalid_if_match',
    message: 'If-Match must be one ETag, such as "7-available", or *, not "7-available".',
  },
];

rejects('PATCH /inventory/{petId}', () => {
  test.each(invalidUpdates)(
    'rejects $petId $headers $body',
    async ({ code, message, ...update }) => {
      const { petId = rejecting, body = '{"quantity":8}', headers } = update;
      expect(await patch(petId, body, headers)).toMatchObject(errorResponse(400, code, message));
    },
  );

  test('rejects a body of more than 4,096 bytes', async () => {
    const message = 'The body must have at most 4096 bytes, not 4098.';
    expect(await patch(rejecting, `"${'é'.repeat(2_048)}"`)).toMatchObject(
      errorResponse(413, 'request_too_large', message),
    );
  });

  test('creates no entry, with and without a condition', async () => {
    expect(await patch(absent, '{"quantity":7}')).toMatchObject(notFound);
    const headers = { ...json, 'If-Match': '*' };
    expect(await patch(absent, '{"quantity":7}', headers)).toMatchObject(notFound);
  });

  // The last check of this file: what the others sent must have changed nothing.
  test('has changed nothing that it rejected', async () => {
    expect(isReadOnly ? [] : await list()).toEqual(
      isReadOnly ? [] : expect.arrayContaining([smallest, largest]),
    );
  });
});

(keyMayWrite ? describe.skip : describe)('PATCH /inventory/{petId} with a read-only key', () => {
  test.each([
    { what: 'nothing wrong with it' },
    { what: 'no petId that can exist', petId: 'abc' },
    { what: 'no quantity', body: '{}' },
    { what: 'no Content-Type', headers: {} },
    { what: 'too large a body', body: `"${'x'.repeat(4_096)}"` },
  ])('rejects an update that has $what', async (update) => {
    const { petId = rejecting, body = '{"quantity":8}', headers } = update;
    expect(await patch(petId, body, headers)).toMatchObject(readOnlyKey);
  });
});
