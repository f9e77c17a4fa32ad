import { type AttributeValue, DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import fc from 'fast-check';
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
await engine.createTable({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'petId', AttributeType: 'N' }],
  KeySchema: [{ AttributeName: 'petId', KeyType: 'HASH' }],
});
const put = (petId: bigint, attributes: Record<string, AttributeValue | undefined>) =>
  engine.putItem({
    TableName,
    Item: { petId: { N: String(petId) }, ...attributes } as Record<string, AttributeValue>,
  });
const stored = async (petId: bigint) =>
  (await engine.getItem({ TableName, Key: { petId: { N: String(petId) } } })).Item;

const known = [-(2n ** 63n), -1n, 0n, 1n, 42n, 2n ** 53n + 1n, 2n ** 63n - 1n];
await Promise.all(
  known.map((petId) => put(petId, { quantity: { N: '5' }, status: { S: 'sold' } })),
);

const log = captureLog();
const patch = (petId: string, body: string) =>
  handler(patchEvent(petId, body), contextWith(10_000)) as Promise<APIGatewayProxyResult>;

test('sets only the quantity, and logs the keyId, the petId and both quantities', async () => {
  const others = { status: { S: 'available' }, note: { S: 'of the operators' } };
  await put(70_001n, { quantity: { N: '12' }, ...others });

  const startedAt = performance.now();
  expect(await patch('70001', '{"quantity":3}')).toEqual({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: '{"petId":70001,"quantity":3,"status":"available"}',
  });
  expect(await stored(70_001n)).toEqual({
    petId: { N: '70001' },
    quantity: { N: '3' },
    ...others,
  });
  const change = { petId: '70001', quantityFrom: 12, quantityTo: 3 };
  expect(log).toEqual([requestLine('updateInventory', { status: 200, ...change }, { Updates: 1 })]);
  expect(log[0].durationMs).toBeLessThan(performance.now() - startedAt + 1);
});

test('responds with a 404 to an unknown petId, and creates nothing', async () => {
  expect(await patch('404', '{"quantity":3}')).toEqual(errorResult(...errors.notFound));
  expect(await stored(404n)).toBeUndefined();
  expect(log).toEqual([
    expect.objectContaining({ level: 'INFO', status: 404, code: 'pet_not_found', NotFound: 1 }),
  ]);
});

test('sends no update after the request has been given up', async () => {
  const givenUp = { signal: AbortSignal.abort(), attempts: {} };
  await expect(updateItem(42n, 99, givenUp)).rejects.toMatchObject({
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

/** Texts in place of a petId: int64, integers near and beyond its limits, and anything else. */
const petIds = () => {
  const nearKnown = fc
    .record({ base: fc.constantFrom(...known, 2n ** 64n), by: fc.bigInt({ min: -2n, max: 2n }) })
    .map(({ base, by }) => String(base + by));
  const integers = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String);
  const digits = fc.oneof(nearKnown, integers);
  const bent = fc
    .record({ prefix: fc.constantFrom('0', '+', ' ', '0x', '-'), text: digits })
    .map(({ prefix, text }) => prefix + text);
  return fc.oneof({ weight: 2, arbitrary: digits }, bent, fc.string({ unit: 'grapheme' }));
};

/** Bodies: objects in JSON that may be right, one that is cut, and any bytes. */
const bodies = () => {
  const usualNames = fc.constantFrom('quantity', 'quantity', 'status', '__proto__', 'constructor');
  const numeral = fc.constantFrom('0', '-0', '1e2', '9007199254740991', '9007199254740992');
  const member = fc
    .record({
      name: fc.oneof(usualNames, fc.string()),
      value: fc.oneof(numeral, fc.maxSafeInteger().map(String), fc.json()),
    })
    .map(({ name, value }) => `${JSON.stringify(name)}:${value}`);
  const json = fc.array(member, { maxLength: 3 }).map((members) => `{${members}}`);
  const cut = fc.nat(13).map((length) => '{"quantity":7}'.slice(0, length));
  const bytes = fc
    .uint8Array({ maxLength: 300 })
    .map((octets) => Buffer.from(octets).toString('latin1'));
  return fc.oneof({ weight: 3, arbitrary: json }, cut, bytes);
};

/** Updates of which at most one part is unusual. */
const updates = () =>
  fc.oneof(
    fc.record({ petId: petIds(), body: fc.constant('{"quantity":7}') }),
    fc.record({ petId: fc.constantFrom(...known).map(String), body: bodies() }),
  );

const percentEncoded = (text: string): string =>
  Buffer.from(text).toString('hex').replace(/../g, '%$&');

const int64In = (text: string): bigint | undefined => {
  const isInteger = /^(0|-?[1-9][0-9]*)$/.test(text);
  return isInteger && BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? BigInt(text) : undefined;
};

const quantityIn = (text: string): number | undefined => {
  try {
    const { quantity, ...others } = JSON.parse(text);
    const isAlone = Object.keys(others).length === 0;
    return isAlone && Number.isSafeInteger(quantity) && quantity >= 0 ? quantity : undefined;
  } catch {
    return undefined;
  }
};

const expectedStatus = (petId?: bigint, quantity?: number): number => {
  if (petId === undefined || quantity === undefined) {
    return 400;
  }
  return known.includes(petId) ? 200 : 404;
};

test('applies valid updates and rejects all others, whatever is sent', async () => {
  const quantities = new Map(known.map((petId) => [petId, '5']));
  await fc.assert(
    fc.asyncProperty(updates(), fc.boolean(), async (update, encodesAll) => {
      const petId = int64In(update.petId);
      const quantity = quantityIn(update.body);
      const encode = encodesAll ? percentEncoded : encodeURIComponent;
      const { statusCode, body } = await patch(encode(update.petId), update.body);
      expect(statusCode).toBe(expectedStatus(petId, quantity));
      if (petId !== undefined && statusCode === 200) {
        quantities.set(petId, JSON.stringify(quantity));
        const text = quantities.get(petId);
        expect(body).toBe(`{"petId":${petId},"quantity":${text},"status":"sold"}`);
      }
      if (petId !== undefined) {
        expect((await stored(petId))?.quantity?.N).toBe(quantities.get(petId));
      }
    }),
    { numRuns: 700 },
  );
});
