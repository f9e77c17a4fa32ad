import { type AttributeValue, DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import fc from 'fast-check';
import { createTable } from '../support/dynamodb/create-table.ts';
import { captureLog, requestLine } from '../support/functions/capture-log.ts';
import {
  contextWith,
  errorResult,
  internalError,
  patchEvent,
  setEnvironment,
} from '../support/functions/functions.ts';
import { errors } from '../support/http/rejections.ts';

const endpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';
const TableName = `table-${crypto.randomUUID()}`;
setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: endpoint, INVENTORY_TABLE_NAME: TableName });
const { handler } = await import('../../functions/update-inventory.ts');
const { updateItem } = await import('../../functions/inventory/update-item.ts');

const engine = new DynamoDB({ endpoint });
afterAll(() => engine.destroy());
await createTable(engine, { name: TableName, key: 'petId', type: 'N' });
const put = (petId: bigint, attributes: Record<string, AttributeValue | undefined>) =>
  engine.putItem({
    TableName,
    Item: { petId: { N: String(petId) }, ...attributes } as Record<string, AttributeValue>,
  });
const stored = async (petId: bigint) =>
  (await engine.getItem({ TableName, Key: { petId: { N: String(petId) } } })).Item;

await put(42n, { quantity: { N: '5' }, status: { S: 'sold' } });

const log = captureLog();
const patch = (petId: string, body: string, headers: Record<string, string[]> = {}) =>
  handler(patchEvent(petId, body, headers), contextWith(10_000)) as Promise<APIGatewayProxyResult>;

test('sets only the quantity, and logs the keyId, the petId and both quantities', async () => {
  const others = { status: { S: 'available' }, note: { S: 'of the operators' } };
  await put(70_001n, { quantity: { N: '12' }, ...others });

  expect(await patch('70001', '{"quantity":3}')).toEqual({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json', ETag: '"3-available"' },
    body: '{"petId":70001,"quantity":3,"status":"available"}',
  });
  expect(await stored(70_001n)).toEqual({
    petId: { N: '70001' },
    quantity: { N: '3' },
    ...others,
  });
  const change = { petId: '70001', quantityFrom: 12, quantityTo: 3 };
  expect(log).toEqual([requestLine('updateInventory', { status: 200, ...change }, { Updates: 1 })]);
});

test('responds with a 404 to an unknown petId, and creates nothing', async () => {
  expect(await patch('404', '{"quantity":3}')).toEqual(errorResult(...errors.notFound));
  expect(await stored(404n)).toBeUndefined();
  expect(log).toEqual([
    expect.objectContaining({ level: 'INFO', status: 404, code: 'pet_not_found', NotFound: 1 }),
  ]);
});

test('sends no update after the request has been given up', async () => {
  const record = { elapsed: () => 0, counts: {}, fields: {} };
  const givenUp = { abortSignal: AbortSignal.abort(), record };
  await expect(updateItem({ petId: 42n, quantity: 99 }, givenUp)).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(await stored(42n)).not.toMatchObject({ quantity: { N: '99' } });
});

test.each([
  {
    what: 'a quantity beyond 2^53',
    quantity: { N: '9007199254740993' },
    quantityFrom: '9007199254740993',
  },
  { what: 'a negative quantity', quantity: { N: '-3' }, quantityFrom: -3 },
  { what: 'a quantity that is a text', quantity: { S: 'a"b' }, quantityFrom: undefined },
  { what: 'no quantity', quantity: undefined, quantityFrom: undefined },
])('repairs an entry with $what', async ({ quantity, quantityFrom }) => {
  await put(70_002n, { ...(quantity && { quantity }), status: { S: 'pending' } });

  expect((await patch('70002', '{"quantity":4}')).body).toBe(
    '{"petId":70002,"quantity":4,"status":"pending"}',
  );
  expect(await stored(70_002n)).toEqual({
    petId: { N: '70002' },
    quantity: { N: '4' },
    status: { S: 'pending' },
  });
  expect(log).toEqual([expect.objectContaining({ status: 200, petId: '70002', quantityTo: 4 })]);
  expect(log[0].quantityFrom).toBe(quantityFrom);
});

test.each([
  { what: 'missing', status: undefined },
  { what: 'unknown', status: { S: 'lost' } },
])(
  'is a 500 if the stored status is $what, and logs that the update was applied',
  async ({ status }) => {
    await put(70_003n, { quantity: { N: '1' }, ...(status && { status }) });

    expect(await patch('70003', '{"quantity":4}')).toEqual(internalError);
    expect(await stored(70_003n)).toMatchObject({ quantity: { N: '4' } });
    const errorMessage =
      'The quantity of petId 70003 is now 4, but its status is none of available, pending, sold.';
    expect(log).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        errorType: 'InvalidItemError',
        errorMessage,
        Faults: 1,
      }),
    ]);
  },
);

/** Every petId, and the ways in which a client may write it in a path. */
const petIds = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n),
);
const percentEncoded = (text: string): string =>
  Buffer.from(text).toString('hex').replace(/../g, '%$&');
const spellings = fc.constantFrom(String, percentEncoded);

/** Every quantity, and numerals that denote it. */
const quantities = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 2 ** 53 - 1));
const numerals = fc.constantFrom(
  (quantity: number) => `${quantity}`,
  (quantity: number) => `${quantity}.0`,
  (quantity: number) => `${quantity}.0E0`,
);

test('sets any quantity of any pet, with every digit', async () => {
  await fc.assert(
    fc.asyncProperty(
      petIds,
      spellings,
      quantities,
      numerals,
      async (petId, spell, quantity, numeral) => {
        await put(petId, { quantity: { N: '1' }, status: { S: 'pending' } });
        const { statusCode, body } = await patch(
          spell(String(petId)),
          `{ "quantity": ${numeral(quantity)} }`,
        );
        expect([statusCode, body]).toEqual([
          200,
          `{"petId":${petId},"quantity":${quantity},"status":"pending"}`,
        ]);
        expect((await stored(petId))?.quantity).toEqual({ N: String(quantity) });
      },
    ),
    { numRuns: 40 },
  );
});
