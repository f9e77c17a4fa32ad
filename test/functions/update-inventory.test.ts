import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { respondWithError } from '../support/dynamodb/dynamodb.ts';
import { type Passing, pass, type Reaction } from '../support/dynamodb/dynamodb-proxy.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import {
  captureLog,
  errorFields,
  faultLine,
  requestLine,
} from '../support/functions/capture-log.ts';
import {
  errorResult,
  internalError,
  outcomeUnknown,
  unavailable,
} from '../support/functions/functions.ts';
import { errors } from '../support/http/rejections.ts';

/** What happens to the next calls, one each; all later ones are passed on. */
let reactions: ((call: Passing) => Promise<Reaction>)[] = [];
let calls = 0;
const { engine, tableName, put, stored, patch } = await inventoryTable((call) => {
  calls += 1;
  return (reactions.shift() ?? pass)(call);
});

const log = captureLog();

/** Sends an update while these things happen to its calls. Returns the response and their number. */
const patchDuring = async (
  next: typeof reactions,
  { petId = 7, quantity = 4, ifMatch }: { petId?: number; quantity?: number; ifMatch?: string },
) => {
  reactions = [...next];
  calls = 0;
  const headers: Record<string, string[]> = ifMatch === undefined ? {} : { 'If-Match': [ifMatch] };
  const response = await patch(String(petId), `{"quantity":${quantity}}`, headers);
  return { response, calls };
};

const available = (quantity: number) => ({
  quantity: { N: String(quantity) },
  status: { S: 'available' },
});
const updated = (petId: number, quantity: number, status = 'available') => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ETag: `"${quantity}-${status}"` },
  body: `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`,
});
const conditionFailed = (etag: string) =>
  errorResult(
    412,
    'precondition_failed',
    'The entry is not as If-Match says. The ETag header says how it is now.',
    { ETag: etag },
  );
const notFound = errorResult(...errors.notFound);

test('sets only the quantity, and logs the keyId, the petId and both quantities', async () => {
  const others = { status: { S: 'available' }, note: { S: 'of the operators' } };
  await put(70_001, { quantity: { N: '12' }, ...others });

  expect(await patch('70001', '{"quantity":3}')).toStrictEqual(updated(70_001, 3));
  expect(await stored(70_001)).toStrictEqual({
    petId: { N: '70001' },
    quantity: { N: '3' },
    ...others,
  });
  const change = { petId: '70001', quantityFrom: 12, quantityTo: 3 };
  expect(log).toStrictEqual([
    requestLine('updateInventory', { status: 200, ...change }, { Updates: 1 }),
  ]);
});

test.each([
  { ifMatch: undefined, logged: {} },
  { ifMatch: '"7-available"', logged: { ifMatch: '"7-available"' } },
  { ifMatch: '"never"', logged: { ifMatchLength: 7 } },
  { ifMatch: '*', logged: { ifMatch: '*' } },
])(
  'an unknown petId is a 404, and creates nothing, with If-Match: $ifMatch',
  async ({ ifMatch, logged }) => {
    const headers = ifMatch === undefined ? undefined : { 'If-Match': [ifMatch] };
    expect(await patch('404', '{"quantity":3}', headers)).toStrictEqual(notFound);
    expect(await stored(404)).toBeUndefined();
    const fields = { status: 404, petId: '404', code: 'pet_not_found', ...logged };
    expect(log).toStrictEqual([requestLine('updateInventory', fields, { NotFound: 1 })]);
  },
);

test.each([
  {
    what: 'a quantity beyond 2^53',
    quantity: { N: '9007199254740993' },
    from: { quantityFrom: '9007199254740993' },
  },
  { what: 'a negative quantity', quantity: { N: '-3' }, from: { quantityFrom: -3 } },
  { what: 'a quantity that is a text', quantity: { S: 'a"b' }, from: {} },
  { what: 'no quantity', quantity: undefined, from: {} },
])('repairs an entry with $what', async ({ quantity, from }) => {
  const status = { S: 'pending' };
  await put(70_002, { ...(quantity && { quantity }), status });

  expect(await patch('70002', '{"quantity":4}')).toStrictEqual(updated(70_002, 4, 'pending'));
  expect(await stored(70_002)).toStrictEqual({
    petId: { N: '70002' },
    quantity: { N: '4' },
    status,
  });
  const fields = { status: 200, petId: '70002', ...from, quantityTo: 4 };
  expect(log).toStrictEqual([requestLine('updateInventory', fields, { Updates: 1 })]);
});

test.each([
  { what: 'missing', attributes: { quantity: { N: '1' } } },
  { what: 'unknown', attributes: { ...available(1), status: { S: 'lost' } } },
])('is a 500 if the status is $what, and logs that it was applied', async ({ attributes }) => {
  await put(70_003, attributes);
  expect(await patch('70003', '{"quantity":4}')).toStrictEqual(internalError);
  expect((await stored(70_003))?.quantity).toStrictEqual({ N: '4' });
  const error = errorFields(
    'InvalidItemError',
    'The quantity of petId 70003 is now 4, but its status is none of available, pending, sold.',
  );
  const fields = { status: 500, code: 'internal_error', petId: '70003', ...error };
  expect(log).toStrictEqual([faultLine('updateInventory', fields)]);
});

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
const bodies = fc.constantFrom(
  (quantity: number) => `{"quantity":${quantity}}`,
  (quantity: number) => `{ "quantity": ${quantity}.0 }`,
  (quantity: number) => `{"quantity":${quantity}.0E0}`,
  (quantity: number) => `\ufeff{"quantity":${quantity}}`,
);

test('sets any quantity of any pet, with every digit', async () => {
  await fc.assert(
    fc.asyncProperty(
      petIds,
      spellings,
      quantities,
      bodies,
      async (petId, spell, quantity, bodyOf) => {
        await put(petId, { quantity: { N: '1' }, status: { S: 'pending' } });
        expect(await patch(spell(String(petId)), bodyOf(quantity))).toStrictEqual({
          statusCode: 200,
          headers: { 'Content-Type': 'application/json', ETag: `"${quantity}-pending"` },
          body: `{"petId":${petId},"quantity":${quantity},"status":"pending"}`,
        });
        expect((await stored(petId))?.quantity).toStrictEqual({ N: String(quantity) });
      },
    ),
    { numRuns: 40 },
  );
});

test.each(['"7-available"', '*'])('an update with If-Match: %s is applied', async (tag) => {
  await put(7, available(7));
  expect(await patch('7', '{"quantity":4}', { 'IF-match': [tag] })).toStrictEqual(updated(7, 4));
  const change = { petId: '7', quantityFrom: 7, quantityTo: 4 };
  const fields = { status: 200, ...change, ifMatch: tag, precondition: 'met' };
  expect(log).toStrictEqual([requestLine('updateInventory', fields, { Updates: 1 })]);
});

const secret = `petstore_prod_${'0'.repeat(48)}`;

test.each([
  { what: 'another quantity', tag: '"8-available"', logged: { ifMatch: '"8-available"' } },
  { what: 'another status', tag: '"7-sold"', logged: { ifMatch: '"7-sold"' } },
  { what: 'an unknown status', tag: '"7-lost"', logged: { ifMatch: '"7-lost"' } },
  { what: 'a leading zero', tag: '"07-available"', logged: { ifMatch: '"07-available"' } },
  { what: 'a weak tag', tag: 'W/"7-available"', logged: { ifMatchLength: 15 } },
  {
    what: 'a quantity beyond the greatest',
    tag: '"9007199254740992-available"',
    logged: { ifMatch: '"9007199254740992-available"' },
  },
  { what: 'an empty tag', tag: '""', logged: { ifMatchLength: 2 } },
  { what: 'a tag of 200 characters', tag: `"${'x'.repeat(198)}"`, logged: { ifMatchLength: 200 } },
  { what: 'letters beyond ASCII', tag: '"7-verfügbar"', logged: { ifMatchLength: 13 } },
  { what: 'an emoji', tag: '"🐕"', logged: { ifMatchLength: 4 } },
  { what: 'an API key, which is not logged', tag: `"${secret}"`, logged: { ifMatchLength: 64 } },
])('an update is not applied to an item whose ETag differs: $what', async ({ tag, logged }) => {
  await put(7, available(7));
  const response = await patch('7', '{"quantity":4}', { 'If-Match': [tag] });
  expect(response).toStrictEqual(conditionFailed('"7-available"'));
  expect(await stored(7)).toStrictEqual({ petId: { N: '7' }, ...available(7) });
  const fields = { status: 412, petId: '7', code: 'precondition_failed', precondition: 'failed' };
  expect(log).toStrictEqual([
    requestLine('updateInventory', { ...fields, ...logged }, { PreconditionFailed: 1 }),
  ]);
});

test.each([
  { what: 'no status', attributes: { quantity: { N: '7' } } },
  { what: 'an unknown status', attributes: { ...available(7), status: { S: 'lost' } } },
  { what: 'a quantity that is a text', attributes: { ...available(7), quantity: { S: '7' } } },
])('a stored item with $what has no ETag, and matches none', async ({ attributes }) => {
  await put(8, attributes);
  const message = 'The entry is not as If-Match says, and its stored values have no ETag.';
  expect(await patch('8', '{"quantity":4}', { 'If-Match': ['"7-available"'] })).toStrictEqual(
    errorResult(412, 'precondition_failed', message),
  );
  expect(await stored(8)).toStrictEqual({ petId: { N: '8' }, ...attributes });
});

test('conditions on dates are ignored', async () => {
  await put(7, available(7));
  const never = ['Thu, 01 Jan 1970 00:00:00 GMT'];
  const headers = { 'If-Unmodified-Since': never, 'If-Modified-Since': never };
  expect(await patch('7', '{"quantity":4}', headers)).toStrictEqual(updated(7, 4));
});

const remove = (petId: number) =>
  engine.deleteItem({ TableName: tableName, Key: { petId: { N: String(petId) } } });

/** The call is applied, and then something happens before its client learns that it got lost. */
const appliedAndLost =
  (then: () => Promise<unknown> = async () => {}) =>
  async ({ forward }: Passing): Promise<Reaction> => {
    await forward();
    await then();
    return undefined;
  };
const lost = async (): Promise<Reaction> => undefined;
const throttled = async (call: Passing): Promise<Reaction> => {
  respondWithError(400, 'ProvisionedThroughputExceededException')(call);
  return 'written';
};

test.each([
  { ifMatch: undefined, expected: { response: unavailable, calls: 2 } },
  { ifMatch: '*', expected: { response: unavailable, calls: 2 } },
  { ifMatch: '"7-available"', expected: { response: outcomeUnknown, calls: 1 } },
])(
  'is no 404 if it was applied to an entry that an operator then removed: If-Match $ifMatch',
  async ({ ifMatch, expected }) => {
    await put(7, available(7));
    const lostAndRemoved = appliedAndLost(() => remove(7));
    expect(await patchDuring([lostAndRemoved], { ifMatch })).toStrictEqual(expected);
  },
);

test.each([
  { ifMatch: undefined, expected: { response: unavailable, calls: 2 } },
  { ifMatch: '*', expected: { response: unavailable, calls: 2 } },
  { ifMatch: '"7-available"', expected: { response: outcomeUnknown, calls: 1 } },
])(
  'is no 404 if an earlier attempt is late, and may still change a new entry: If-Match $ifMatch',
  async ({ ifMatch, expected }) => {
    let late: () => Promise<unknown> = async () => {};
    const delayed = async ({ forward }: Passing): Promise<Reaction> => {
      late = forward;
      return undefined;
    };
    expect(await patchDuring([delayed], { petId: 9, ifMatch })).toStrictEqual(expected);
    await put(9, available(7));
    await late();
    expect((await stored(9))?.quantity).toStrictEqual({ N: '4' });
    await remove(9);
  },
);

test('an update with an ETag is not applied again to a stock that has come back to it', async () => {
  await put(7, available(7));
  const bringThreeBack = async () => {
    expect(await patch('7', '{"quantity":7}', { 'If-Match': ['"4-available"'] })).toStrictEqual(
      updated(7, 7),
    );
  };
  const { response } = await patchDuring([appliedAndLost(bringThreeBack)], {
    ifMatch: '"7-available"',
  });
  expect(response).toStrictEqual(outcomeUnknown);
  expect((await stored(7))?.quantity).toStrictEqual({ N: '7' });
});

test('what is not known is a fault of the stage, and alone rolls no release back', async () => {
  await put(7, available(7));
  await patchDuring([appliedAndLost()], { ifMatch: '"7-available"' });
  const message = 'DynamoDB sent no complete response: socket hang up';
  const cause = errorFields('TransientError', message, {
    ...errorFields('Error', 'socket hang up'),
  });
  const error = errorFields(
    'ApiError',
    'It is not known whether the update was applied. Look at the entry before sending another.',
    cause,
  );
  const fields = { status: 500, code: 'outcome_unknown', petId: '7', ifMatch: '"7-available"' };
  expect(log).toStrictEqual([
    faultLine('updateInventory', { ...fields, ...error }, { ofVersion: false }),
  ]);
});

test.each([
  { what: 'applied', ifMatch: '"7-available"', response: updated(7, 4) },
  { what: 'a 412', ifMatch: '"5-available"', response: conditionFailed('"7-available"') },
  { what: 'a 404', petId: 404, ifMatch: '"7-available"', response: notFound },
  { what: 'a 404 without a condition', petId: 404, ifMatch: undefined, response: notFound },
])(
  'a throttled attempt is settled, and an update that repeats it is $what',
  async ({ petId = 7, ifMatch, response }) => {
    await put(7, available(7));
    expect(await patchDuring([throttled], { petId, ifMatch })).toStrictEqual({
      response,
      calls: 2,
    });
  },
);

test('an unsettled attempt stays unsettled after a throttled one', async () => {
  const { response } = await patchDuring([lost, throttled], { petId: 404 });
  expect(response).toStrictEqual(unavailable);
});

test('after any pause, a false condition is a 412 with its ETag', async () => {
  await put(7, available(7));
  const usedAt = new WeakMap<object, number>();
  /** Whoever stands in between has closed what was idle for 2.5 s, and a frozen instance is told late. */
  const closesIdle = async (call: Passing): Promise<Reaction> => {
    const { socket } = call.response.req;
    if (Date.now() - (usedAt.get(socket) ?? Date.now()) > 2_500) {
      socket.resetAndDestroy();
      return 'written';
    }
    await pass(call);
    usedAt.set(socket, Date.now());
    return 'written';
  };
  for (const pause of [0, 1_000, 2_400, 2_600, 5_000, 60_000, 3_600_000]) {
    // The clock moves, and no time passes.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + pause);
    const { response } = await patchDuring([closesIdle], { ifMatch: '"5-available"' });
    expect({ pause, response }).toStrictEqual({
      pause,
      response: conditionFailed('"7-available"'),
    });
  }
});

test.each([undefined, '*'])(
  'an update without an ETag is repeated until it is applied (If-Match: %s)',
  async (ifMatch) => {
    await put(7, available(7));
    expect(await patchDuring([appliedAndLost(), throttled], { ifMatch })).toStrictEqual({
      response: updated(7, 4),
      calls: 3,
    });
  },
);

test('an error that no retry can fix is a 500', async () => {
  await put(7, available(7));
  const denied = { status: 400, body: { __type: 'a#AccessDeniedException', message: 'no' } };
  expect(await patchDuring([async () => denied], { ifMatch: '"7-available"' })).toStrictEqual({
    response: internalError,
    calls: 1,
  });
});
