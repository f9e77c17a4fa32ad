import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Passing, pass, type Reaction } from '../support/dynamodb/dynamodb-proxy.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import { captureLog, requestLine } from '../support/functions/capture-log.ts';
import { errorResult, internalError } from '../support/functions/functions.ts';
import { errors } from '../support/http/rejections.ts';

/** What happens to the next calls, one each; all later ones are passed on. */
const reactions: ((call: Passing) => Promise<Reaction>)[] = [];
const { put, stored, patch } = await inventoryTable((call) => (reactions.shift() ?? pass)(call));

const available = (quantity: number) => ({
  quantity: { N: String(quantity) },
  status: { S: 'available' },
});
const log = captureLog();

test('sets only the quantity, and logs the keyId, the petId and both quantities', async () => {
  const others = { status: { S: 'available' }, note: { S: 'of the operators' } };
  await put(70_001, { quantity: { N: '12' }, ...others });

  expect(await patch('70001', '{"quantity":3}')).toEqual({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json', ETag: '"3-available"' },
    body: '{"petId":70001,"quantity":3,"status":"available"}',
  });
  expect(await stored(70_001)).toEqual({ petId: { N: '70001' }, quantity: { N: '3' }, ...others });
  const change = { petId: '70001', quantityFrom: 12, quantityTo: 3 };
  expect(log).toEqual([requestLine('updateInventory', { status: 200, ...change }, { Updates: 1 })]);
});

test.each([undefined, '"7-available"', '"never"', '*'])(
  'responds with a 404 to an unknown petId, and creates nothing, with If-Match: %s',
  async (ifMatch) => {
    const headers = ifMatch === undefined ? undefined : { 'If-Match': [ifMatch] };
    expect(await patch('404', '{"quantity":3}', headers)).toEqual(errorResult(...errors.notFound));
    expect(await stored(404)).toBeUndefined();
    const fields = { status: 404, petId: '404', code: 'pet_not_found', ifMatch };
    expect(log).toEqual([requestLine('updateInventory', fields, { NotFound: 1 })]);
  },
);

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
  const status = { S: 'pending' };
  await put(70_002, { ...(quantity && { quantity }), status });

  const { body } = await patch('70002', '{"quantity":4}');
  expect(body).toBe('{"petId":70002,"quantity":4,"status":"pending"}');
  expect(await stored(70_002)).toEqual({ petId: { N: '70002' }, quantity: { N: '4' }, status });
  const fields = { status: 200, petId: '70002', quantityFrom, quantityTo: 4 };
  expect(log).toEqual([requestLine('updateInventory', fields, { Updates: 1 })]);
});

test.each([
  { what: 'missing', attributes: { quantity: { N: '1' } } },
  { what: 'unknown', attributes: { ...available(1), status: { S: 'lost' } } },
])(
  'responds with a 500 if the status is $what, and logs that the update was applied',
  async ({ attributes }) => {
    await put(70_003, attributes);

    expect(await patch('70003', '{"quantity":4}')).toEqual(internalError);
    expect(await stored(70_003)).toMatchObject({ quantity: { N: '4' } });
    const errorMessage =
      'The quantity of petId 70003 is now 4, but its status is none of available, pending, sold.';
    const error = { level: 'ERROR', errorType: 'InvalidItemError', errorMessage, Faults: 1 };
    expect(log).toEqual([expect.objectContaining(error)]);
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
        const response = await patch(spell(String(petId)), `{ "quantity": ${numeral(quantity)} }`);
        expect(response).toMatchObject({
          statusCode: 200,
          body: `{"petId":${petId},"quantity":${quantity},"status":"pending"}`,
        });
        expect((await stored(petId))?.quantity).toEqual({ N: String(quantity) });
      },
    ),
    { numRuns: 40 },
  );
});

test.each(['"7-available"', '*'])('an update with If-Match: %s is applied', async (tag) => {
  await put(7, available(7));
  expect(await patch('7', '{"quantity":4}', { 'IF-match': [tag] })).toEqual({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json', ETag: '"4-available"' },
    body: '{"petId":7,"quantity":4,"status":"available"}',
  });
  const change = { petId: '7', quantityFrom: 7, quantityTo: 4 };
  const fields = { status: 200, ...change, ifMatch: tag, precondition: 'met' };
  expect(log).toEqual([requestLine('updateInventory', fields, { Updates: 1 })]);
});

test.each([
  { what: 'another quantity', tag: '"8-available"' },
  { what: 'another status', tag: '"7-sold"' },
  { what: 'an unknown status', tag: '"7-lost"' },
  { what: 'a leading zero', tag: '"07-available"' },
  { what: 'a weak tag', tag: 'W/"7-available"' },
  { what: 'a quantity beyond the greatest', tag: '"9007199254740992-available"' },
  { what: 'an empty tag', tag: '""' },
  { what: 'a tag of 200 characters', tag: `"${'x'.repeat(198)}"` },
])('an update is not applied to an item whose ETag differs: $what', async ({ tag }) => {
  await put(7, available(7));
  const message = 'The entry is not as If-Match says. The ETag header says how it is now.';
  expect(await patch('7', '{"quantity":4}', { 'If-Match': [tag] })).toEqual(
    errorResult(412, 'precondition_failed', message, { ETag: '"7-available"' }),
  );
  expect(await stored(7)).toMatchObject(available(7));
  const fields = { status: 412, petId: '7', code: 'precondition_failed', precondition: 'failed' };
  const logged = { ...fields, ifMatch: tag.slice(0, 100) };
  expect(log).toEqual([requestLine('updateInventory', logged, { PreconditionFailed: 1 })]);
});

test.each([
  { what: 'no status', attributes: { quantity: { N: '7' } } },
  { what: 'an unknown status', attributes: { ...available(7), status: { S: 'lost' } } },
  { what: 'a quantity that is a text', attributes: { ...available(7), quantity: { S: '7' } } },
])('a stored item with $what has no ETag, and matches none', async ({ attributes }) => {
  await put(8, attributes);
  const message = 'The entry is not as If-Match says, and its stored values have no ETag.';
  expect(await patch('8', '{"quantity":4}', { 'If-Match': ['"7-available"'] })).toEqual(
    errorResult(412, 'precondition_failed', message),
  );
  expect(await stored(8)).toEqual({ petId: { N: '8' }, ...attributes });
});

test('conditions on dates are ignored', async () => {
  await put(7, available(7));
  const never = ['Thu, 01 Jan 1970 00:00:00 GMT'];
  const headers = { 'If-Unmodified-Since': never, 'If-Modified-Since': never };
  expect(await patch('7', '{"quantity":4}', headers)).toMatchObject({ statusCode: 200 });
});

test('a lost response is logged as the cause, if it is not known what was applied', async () => {
  await put(7, available(7));
  reactions.push(async ({ forward }) => void (await forward()));
  await patch('7', '{"quantity":4}', { 'If-Match': ['"7-available"'] });
  const error = { errorType: 'ApiError', cause: { errorType: 'TransientError' } };
  expect(log).toMatchObject([{ level: 'ERROR', status: 503, petId: '7', ...error, Faults: 1 }]);
  expect(log[0]).not.toHaveProperty('precondition');
});

test('an error that no retry can fix stays a 500, whatever happened before', async () => {
  await put(7, available(7));
  const denied = { status: 400, body: { __type: 'a#AccessDeniedException', message: 'no' } };
  reactions.push(
    async () => undefined,
    async () => denied,
  );
  const response = await patch('7', '{"quantity":4}', { 'If-Match': ['"7-available"'] });
  expect(response).toEqual(internalError);
});
