import { type AttributeValue, GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import fc from 'fast-check';
import { captureLog } from '../support/capture-log.ts';
import { createTable, engineClient, engineEndpoint } from '../support/engine-table.ts';
import { contextWith, errorResult, eventOf, loadFunction, patchEvent } from '../support/functions.ts';

const int64Range = 'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
const quantityRange = 'an integer from 0 to 9007199254740991';
const internalError = errorResult(500, 'internal_error', 'Something went wrong on our side. Try again later.');

const known = [-(2n ** 63n), -1n, 0n, 1n, 42n, 2n ** 53n + 1n, 2n ** 63n - 1n];

describe('PATCH /inventory/{petId}', () => {
  let TableName: string;
  let handle: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
  let log: Record<string, unknown>[];

  const put = (petId: bigint, attributes: Record<string, AttributeValue>) =>
    engineClient.send(new PutItemCommand({ TableName, Item: { petId: { N: String(petId) }, ...attributes } }));
  const stored = async (petId: bigint) =>
    (await engineClient.send(new GetItemCommand({ TableName, Key: { petId: { N: String(petId) } } }))).Item;
  const patch = (petId: string, body: string | null) => handle(patchEvent(petId, body));

  beforeAll(async () => {
    TableName = await createTable('petId', 'N');
    await Promise.all(known.map((petId) => put(petId, { quantity: { N: '5' }, status: { S: 'sold' } })));
    const handler = await loadFunction(
      {
        AWS_ENDPOINT_URL_DYNAMODB: engineEndpoint,
        INVENTORY_TABLE_NAME: TableName,
      },
      () => import('../../functions/update-inventory.ts'),
    );
    handle = (event) => handler(event, contextWith(10_000)) as Promise<APIGatewayProxyResult>;
  });
  beforeEach(() => {
    log = captureLog();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('sets the quantity alone, and says who changed what from what to what', async () => {
    const note = { S: 'of the operators' };
    await put(70_001n, { quantity: { N: '12' }, status: { S: 'available' }, note });

    expect(await patch('70001', '{"quantity":3}')).toEqual({
      statusCode: 200,
      headers: { 'Content-Type': 'application/json' },
      body: '{"petId":70001,"quantity":3,"status":"available"}',
    });
    expect(await stored(70_001n)).toEqual({
      petId: { N: '70001' },
      quantity: { N: '3' },
      status: { S: 'available' },
      note,
    });
    expect(log).toEqual([
      {
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        level: 'INFO',
        requestId: 'request-1',
        extendedRequestId: 'extended-1',
        operation: 'updateInventory',
        keyId: 'key-1',
        status: 200,
        durationMs: expect.any(Number),
        petId: '70001',
        quantityFrom: 12,
        quantityTo: 3,
        Stage: 'staging',
        FunctionName: 'function',
        FunctionVersion: '7',
        Updates: 1,
        ColdStarts: 1,
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'PetstoreInventory',
              Dimensions: [['Stage']],
              Metrics: [
                { Name: 'Updates', Unit: 'Count' },
                { Name: 'ColdStarts', Unit: 'Count' },
              ],
            },
          ],
        },
      },
    ]);
    expect(log[0]?.durationMs).toBeLessThan(5_000);
  });

  test('creates nothing: 404', async () => {
    expect(await patch('404', '{"quantity":3}')).toEqual(
      errorResult(404, 'pet_not_found', 'No inventory entry has this petId.'),
    );
    expect(await stored(404n)).toBeUndefined();
    expect(log).toEqual([expect.objectContaining({ level: 'INFO', status: 404, code: 'pet_not_found', NotFound: 1 })]);
  });

  test('logs bad input and counts nothing', async () => {
    expect(await patch('abc', '{"quantity":3}')).toEqual(
      errorResult(400, 'invalid_pet_id', `petId must be ${int64Range}, not "abc".`),
    );
    expect(log).toEqual([
      {
        timestamp: expect.any(String),
        level: 'INFO',
        requestId: 'request-1',
        extendedRequestId: 'extended-1',
        operation: 'updateInventory',
        keyId: 'key-1',
        status: 400,
        durationMs: expect.any(Number),
        code: 'invalid_pet_id',
      },
    ]);
  });

  test.each([
    ['a quantity beyond 2^53', { N: '9007199254740993' }, '9007199254740993'],
    ['a quantity of 126 digits', { N: '1E125' }, `1${'0'.repeat(125)}`],
    ['a fraction', { N: '9007199254740993.5' }, '9007199254740993.5'],
    ['a negative quantity', { N: '-3' }, -3],
    ['a quantity that is a text', { S: 'a"b' }, undefined],
    ['a quantity of another type', { L: [] }, undefined],
    ['no quantity', undefined, undefined],
  ])('repairs an entry with %s', async (_what, quantity, quantityFrom) => {
    await put(70_002n, { ...(quantity && { quantity }), status: { S: 'pending' } } as Record<string, AttributeValue>);

    expect((await patch('70002', '{"quantity":4}')).body).toBe('{"petId":70002,"quantity":4,"status":"pending"}');
    expect(await stored(70_002n)).toEqual({ petId: { N: '70002' }, quantity: { N: '4' }, status: { S: 'pending' } });
    expect(log).toEqual([expect.objectContaining({ status: 200, petId: '70002', quantityTo: 4 })]);
    expect(log[0]?.quantityFrom).toBe(quantityFrom);
  });

  test.each([
    ['missing', undefined],
    ['another word', { S: 'lost' }],
    ['a number', { N: '1' }],
    ['of another type', { NULL: true }],
  ])('is a 500 for an entry whose status is %s, and logs that it was applied', async (_what, status) => {
    await put(70_003n, { quantity: { N: '1' }, ...(status && { status }) } as Record<string, AttributeValue>);

    expect(await patch('70003', '{"quantity":4}')).toEqual(internalError);
    expect(await stored(70_003n)).toMatchObject({ quantity: { N: '4' } });
    expect(log).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        errorType: 'InvalidEntryError',
        errorMessage: `The quantity of petId 70003 is now 4, but its status is none of available, pending, sold.`,
        Faults: 1,
      }),
    ]);
  });

  test('reads a body of 4,096 bytes of UTF-8, and no longer one', async () => {
    const body = (bytes: number) => `{"quantity":6${' '.repeat(bytes - 14)}}`;
    const tooLarge = (bytes: number) =>
      errorResult(413, 'request_too_large', `The body must have at most 4096 bytes, not ${bytes}.`);

    expect((await patch('1', body(4_096))).statusCode).toBe(200);
    expect(await patch('1', body(4_097))).toEqual(tooLarge(4_097));
    // Two bytes each, and before anything else is looked at.
    expect(await handle(eventOf({ petId: 'x', body: 'é'.repeat(2_049) }))).toEqual(tooLarge(4_098));
    const base64 = (bytes: number) =>
      eventOf({ ...patchEvent('1', ''), petId: '1', isBase64Encoded: true, body: btoa(body(bytes)), headers: json });
    expect((await handle(base64(4_096))).body).toBe('{"petId":1,"quantity":6,"status":"sold"}');
    expect(await handle(base64(4_097))).toEqual(tooLarge(4_097));
  });

  const json = { 'Content-Type': ['application/json'] };

  test('does what the request says, whatever is sent as petId', async () => {
    const digits = fc.oneof(
      fc.tuple(fc.constantFrom(...known, 2n ** 64n), fc.bigInt({ min: -2n, max: 2n })).map(([a, b]) => String(a + b)),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
    );
    const bent = fc
      .tuple(digits, fc.constantFrom('0?', '+?', ' ?', '?.0', '?e0', '?n', '0x?', '? ', '-?', '?\n'))
      .map(([text, form]) => form.replace('?', text));
    const texts = fc.oneof({ weight: 2, arbitrary: digits }, bent, fc.string({ unit: 'grapheme' }));
    const encode = (text: string, all: boolean) =>
      all ? Buffer.from(text).toString('hex').replace(/../g, '%$&') : encodeURIComponent(text);

    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async (text, all) => {
        const isInt64 = /^(0|-?[1-9][0-9]*)$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
        const { statusCode, body } = await patch(encode(text, all), '{"quantity":7}');
        if (!isInt64) {
          expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'invalid_pet_id' });
        } else if (known.includes(BigInt(text))) {
          expect([statusCode, body]).toEqual([200, `{"petId":${text},"quantity":7,"status":"sold"}`]);
        } else {
          expect(JSON.parse(body)).toMatchObject({ status: 404, code: 'pet_not_found' });
        }
      }),
      { numRuns: 400 },
    );
  });

  test('changes nothing unless the body is {"quantity": <integer>}', async () => {
    const table = async () => (await engineClient.send(new ScanCommand({ TableName }))).Items;
    const before = await table();
    const bytes = fc.oneof(
      fc.nat(13).map((length) => '{"quantity":7}'.slice(0, length)),
      fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array).toString('latin1')),
      fc.constantFrom(
        'null',
        '[]',
        '7',
        '{}',
        '{"quantity":7}}',
        '\ufeff{"quantity":7}',
        '{"quantity":7,"status":"sold"}',
      ),
    );

    await fc.assert(
      fc.asyncProperty(bytes, async (body) => expect((await patch('1', body)).statusCode).toBe(400)),
      { numRuns: 200 },
    );
    expect(await table()).toEqual(before);
  });

  test('is not made once the request is given up', async () => {
    const { updateInventory } = await import('../../functions/inventory/inventory-table.ts');
    await expect(updateInventory(42n, 99, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(await stored(42n)).not.toMatchObject({ quantity: { N: '99' } });
  });

  test(`quotes little of what it rejects: quantity must be ${quantityRange}`, async () => {
    expect(await patch('1', '{"quantity":-1}')).toEqual(
      errorResult(400, 'invalid_quantity', `quantity must be ${quantityRange}, not a negative number.`),
    );
    expect(await patch('%zz', '{"quantity":1}')).toEqual(
      errorResult(400, 'invalid_pet_id', `petId must be ${int64Range}, not "%zz".`),
    );
    expect(await patch('9'.repeat(25), '{"quantity":1}')).toEqual(
      errorResult(400, 'invalid_pet_id', `petId must be ${int64Range}, not "${'9'.repeat(24)}…".`),
    );
  });
});
