import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { petIdOfToken, tokenOf } from '../../functions/inventory/idempotency-key.ts';
import { petStatuses } from '../../functions/inventory/item.ts';
import { requestAttempts } from '../../functions/shared/time-limits.ts';
import { unitsOfUpdate } from '../../infra/service/figures.ts';
import { aSecondEach, inBusyTime, respondWithError } from '../support/dynamodb/dynamodb.ts';
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

/** What happens to a call of the function. */
type Happening = (call: Passing) => Promise<Reaction>;

/** What happens to the next calls, one each; all later ones are passed on. */
let happenings: Happening[] = [];
let calls = 0;
const { engine, tableName, put, stored, patch } = await inventoryTable((call) => {
  calls += 1;
  return (happenings.shift() ?? pass)(call);
});
const log = captureLog();

const remove = () => engine.deleteItem({ TableName: tableName, Key: { petId: { N: '7' } } });

type Entry = Record<string, AttributeValue>;

/** Updates the quantity of pet 7 to 4. */
const setFour = (ifMatch?: string) =>
  patch('7', '{"quantity":4}', ifMatch === undefined ? {} : { 'If-Match': [ifMatch] });

const available = (quantity: number) => ({
  quantity: { N: String(quantity) },
  status: { S: 'available' },
});
const withStatus = (status: string) => ({ ...available(7), status: { S: status } });
const updated = (quantity: number, status = 'available') => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ETag: `"${quantity}-${status}"` },
  body: `{"petId":7,"quantity":${quantity},"status":"${status}"}`,
});
const notFound = errorResult(...errors.notFound);
const preconditionFailed = (message: string, headers = {}) =>
  errorResult(412, 'precondition_failed', message, headers);
const otherEtag = preconditionFailed(
  'The entry no longer matches If-Match. Its current ETag is in the ETag header.',
  { ETag: '"7-available"' },
);
const noEtag = preconditionFailed(
  "The entry doesn't match If-Match, and has no valid ETag: its stored data is damaged.",
);

/** What the line of each of these updates has, once its request has been read. */
const ofUpdate = { petId: '7', quantityTo: 4 };

/** Returns the log line of an update to 4 that was applied. */
const appliedLine = (fields: object, isCounted = true) =>
  requestLine(
    'updateInventory',
    { status: 200, ...ofUpdate, ...fields },
    isCounted ? { Updates: 1 } : undefined,
  );

test.each([
  { ifMatch: undefined, logged: {} },
  { ifMatch: '"7-available"', logged: { ifMatch: '"7-available"' } },
  { ifMatch: '*', logged: { ifMatch: '*' } },
])('sets only the quantity, with If-Match: $ifMatch', async ({ ifMatch, logged }) => {
  const others = { status: { S: 'available' }, note: { S: 'of the operators' } };
  await put(7, { quantity: { N: '7' }, ...others });
  expect(await setFour(ifMatch)).toStrictEqual(updated(4));
  const after = { petId: { N: '7' }, quantity: { N: '4' }, ...others };
  expect(await stored(7)).toStrictEqual(after);
  expect(log).toStrictEqual([appliedLine({ quantityFrom: '7', ...logged })]);
});

const beyond = '9007199254740993';

test.each([
  { what: 'is beyond 2^53', quantity: { N: beyond }, logged: { quantityFrom: beyond } },
  { what: 'is negative', quantity: { N: '-3' }, logged: { quantityFrom: '-3' } },
  { what: 'is a text', quantity: { S: 'a"b' }, logged: {} },
  { what: 'is missing', quantity: undefined, logged: {} },
])('repairs an entry whose quantity $what', async ({ quantity, logged }) => {
  await put(7, { status: { S: 'pending' }, ...(quantity && { quantity }) });
  expect(await setFour()).toStrictEqual(updated(4, 'pending'));
  expect((await stored(7))?.quantity).toStrictEqual({ N: '4' });
  expect(log).toStrictEqual([appliedLine(logged)]);
});

test.each([
  { what: 'missing', entry: { quantity: { N: '1' } } },
  { what: 'unknown', entry: withStatus('lost') },
])('is a 500 if the status is $what, and logs that it was applied', async ({ entry }) => {
  await put(7, entry);
  expect(await setFour()).toStrictEqual(internalError);
  expect((await stored(7))?.quantity).toStrictEqual({ N: '4' });
  const error = errorFields(
    'InvalidItemError',
    `The quantity of petId 7 is now 4, but its status is not one of ${petStatuses.join(', ')}.`,
  );
  const fields = { status: 500, code: 'internal_error', ...ofUpdate, ...error };
  expect(log).toStrictEqual([faultLine('updateInventory', fields)]);
});

test.each([
  { ifMatch: undefined, logged: {} },
  { ifMatch: '"7-available"', logged: { ifMatch: '"7-available"' } },
  { ifMatch: '"never"', logged: { ifMatchLength: 7 } },
  { ifMatch: '*', logged: { ifMatch: '*' } },
])('is a 404 without an entry, and creates none, with If-Match: $ifMatch', async (row) => {
  await remove();
  expect(await setFour(row.ifMatch)).toStrictEqual(notFound);
  expect(await stored(7)).toBeUndefined();
  const fields = { status: 404, ...ofUpdate, code: 'pet_not_found', ...row.logged };
  expect(log).toStrictEqual([requestLine('updateInventory', fields, { NotFound: 1 })]);
});

const loggedWhole = (ifMatch: string) => ({ ifMatch, logged: { ifMatch } });
const loggedLength = (ifMatch: string) => ({ ifMatch, logged: { ifMatchLength: ifMatch.length } });
const secret = `petstore_prod_${'0'.repeat(48)}`;

test.each([
  { what: 'another quantity', ...loggedWhole('"8-available"') },
  { what: 'another status', ...loggedWhole('"7-sold"') },
  { what: 'an unknown status', ...loggedWhole('"7-lost"') },
  { what: 'a leading zero', ...loggedWhole('"07-available"') },
  { what: 'a quantity beyond the greatest', ...loggedWhole('"9007199254740992-available"') },
  { what: 'a weak tag', ...loggedLength('W/"7-available"') },
  { what: 'an empty tag', ...loggedLength('""') },
  { what: 'letters beyond ASCII', ...loggedLength('"7-verfügbar"') },
  { what: 'an API key, which is not logged', ...loggedLength(`"${secret}"`) },
])('is a 412 and changes nothing if If-Match has $what', async ({ ifMatch, logged }) => {
  // One that is certain takes no token, which would cost two more write units.
  expect(await attemptsDuring([], available(7), ifMatch)).toStrictEqual({
    response: otherEtag,
    calls: 1,
  });
  expect(await stored(7)).toStrictEqual({ petId: { N: '7' }, ...available(7) });
  const fields = { status: 412, ...ofUpdate, code: 'precondition_failed' };
  expect(log).toStrictEqual([
    requestLine('updateInventory', { ...fields, ...logged }, { PreconditionFailed: 1 }),
  ]);
});

test.each([
  { what: 'no status', entry: { quantity: { N: '7' } }, ifMatch: '"7-available"' },
  { what: 'an unknown status', entry: withStatus('lost'), ifMatch: '"7-lost"' },
  {
    what: 'a text as its quantity',
    entry: { ...available(7), quantity: { S: '7' } },
    ifMatch: '"7-available"',
  },
])('is a 412 without an ETag if the entry has $what', async ({ entry, ifMatch }) => {
  await put(7, entry);
  expect(await setFour(ifMatch)).toStrictEqual(noEtag);
  expect(await stored(7)).toStrictEqual({ petId: { N: '7' }, ...entry });
});

test('conditions on dates are ignored', async () => {
  await put(7, available(7));
  const never = ['Thu, 01 Jan 1970 00:00:00 GMT'];
  const headers = { 'If-Unmodified-Since': never, 'If-Modified-Since': never };
  expect(await patch('7', '{"quantity":4}', headers)).toStrictEqual(updated(4));
});

test('sets any quantity of any pet, with every digit, however a client writes them', async () => {
  const petIds = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n),
  );
  const percentEncoded = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&');
  const spellings = fc.constantFrom(String, percentEncoded);
  const quantities = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 2 ** 53 - 1));
  const bodies = fc.constantFrom(
    (quantity: number) => `{"quantity":${quantity}}`,
    (quantity: number) => `{ "quantity": ${quantity}.0 }`,
    (quantity: number) => `{"quantity":${quantity}.0E0}`,
    (quantity: number) => `\ufeff{"quantity":${quantity}}`,
  );
  const update = fc.tuple(petIds, spellings, quantities, bodies);
  await fc.assert(
    fc.asyncProperty(update, async ([petId, spell, quantity, bodyOf]) => {
      await put(petId, { quantity: { N: '1' }, status: { S: 'pending' } });
      expect(await patch(spell(String(petId)), bodyOf(quantity))).toStrictEqual({
        statusCode: 200,
        headers: { 'Content-Type': 'application/json', ETag: `"${quantity}-pending"` },
        body: `{"petId":${petId},"quantity":${quantity},"status":"pending"}`,
      });
      expect((await stored(petId))?.quantity).toStrictEqual({ N: String(quantity) });
    }),
    { numRuns: 40 },
  );
});

const unanswered: Happening = async () => undefined;
const conflicting: Happening = async (call) => {
  const CancellationReasons = [{ Code: 'TransactionConflict', Message: 'why', Item: seven }];
  const body = { __type: 'x#TransactionCanceledException', CancellationReasons };
  call.response.writeHead(400).end(JSON.stringify(body));
  return 'written';
};
const throttled: Happening = async (call) => {
  respondWithError(400, 'ProvisionedThroughputExceededException')(call);
  return 'written';
};
const applied: Happening = async ({ forward }) => {
  await forward();
  return undefined;
};
const appliedAndRemoved: Happening = async (call) => {
  await applied(call);
  await remove();
  return undefined;
};
const appliedAndBroughtBack: Happening = async (call) => {
  await applied(call);
  await put(7, available(7));
  return undefined;
};

/** Updates pet 7, which has this entry or none, while these things happen to its first attempts. */
const attemptsDuring = async (first: Happening[], entry?: Entry, ifMatch?: string) => {
  await (entry === undefined ? remove() : put(7, entry));
  happenings = [...first];
  calls = 0;
  return { response: await setFour(ifMatch), calls };
};
const seven = available(7);
const etag = '"7-available"';

// What happens to a single attempt is in faults.test.ts.
test.each([undefined, '*'])(
  'is no 404 if the entry is removed after an attempt that was applied, with If-Match: %s',
  async (ifMatch) => {
    const attempts = { response: unavailable, calls: 2 };
    expect(await attemptsDuring([appliedAndRemoved], seven, ifMatch)).toStrictEqual(attempts);
  },
);

test('is no 404 after an attempt that may be late, even if the next one is throttled', async () => {
  const attempts = { response: unavailable, calls: requestAttempts };
  expect(await attemptsDuring([unanswered, throttled])).toStrictEqual(attempts);
});

test('an update with an ETag is not applied again to a stock that has come back to it', async () => {
  const { response, calls } = await attemptsDuring([appliedAndBroughtBack], seven, etag);
  expect([response.statusCode, response.body, calls]).toStrictEqual([
    200,
    '{"petId":7,"quantity":4,"status":"available"}',
    2,
  ]);
  expect((await stored(7))?.quantity).toStrictEqual({ N: '7' });
});

/** Sends an update of pet 7 with a key. */
const sell = async (key: string, ifMatch = etag, quantity = 4, petId = '7') => {
  const headers = { 'If-Match': [ifMatch], 'Idempotency-Key': [key] };
  const { statusCode, body } = await patch(petId, `{"quantity":${quantity}}`, headers);
  return statusCode === 200 ? 200 : JSON.parse(body).code;
};

test('sends as many writes as figures.ts counts units for', async () => {
  const { unconditional, conditional, refusedWithKey } = unitsOfUpdate;
  const { calls: plain } = await attemptsDuring([], seven);
  const { calls: applied } = await attemptsDuring([], seven, etag);
  await put(7, seven);
  calls = 0;
  await sell('units', '"9-sold"');
  expect({ plain, applied, refused: calls }).toStrictEqual({
    plain: unconditional,
    applied: conditional / 2,
    refused: refusedWithKey / 2,
  });
});

test('with a key, an update is applied once, whatever has become of the entry', async () => {
  await put(7, seven);
  expect(await sell('k1')).toBe(200);
  for (const now of [available(7), available(9), undefined]) {
    await (now === undefined ? remove() : put(7, now));
    expect(await sell('k1')).toBe(200);
    expect((await stored(7))?.quantity).toStrictEqual(now?.quantity);
  }
});

test('a response repeats the key that took effect', async () => {
  const denied: Happening = async (call) => {
    respondWithError(400, 'ValidationException')(call);
    return 'written';
  };
  const answer = async (key: string, ifMatch: string, first: Happening[] = []) => {
    happenings = [...first];
    const headers = { 'If-Match': [ifMatch], 'Idempotency-Key': [key] };
    const response = await patch('7', '{"quantity":4}', headers);
    return [response.statusCode, response.headers?.['Idempotency-Key']];
  };
  await put(7, seven);
  expect(await answer('shown-1', '"9-sold"')).toStrictEqual([412, 'shown-1']);
  expect(await answer('shown-1', etag)).toStrictEqual([422, 'shown-1']);
  expect(await answer('shown-2', etag, [unanswered, denied])).toStrictEqual([500, 'shown-2']);
  expect(await answer('shown-3', etag)).toStrictEqual([200, 'shown-3']);
  expect(await answer('shown-4', '*')).toStrictEqual([200, undefined]);
  await remove();
  expect(await answer('shown-5', etag)).toStrictEqual([404, 'shown-5']);
});

test('a key names one update of one pet', async () => {
  await put(7, seven);
  await put(8, seven);
  expect(await sell('k2')).toBe(200);
  expect(await sell('k2', etag, 4, '8')).toBe(200);
  expect(await sell('k2', '"4-available"', 1)).toBe('idempotency_key_reused');
  expect((await stored(7))?.quantity).toStrictEqual({ N: '4' });
  expect(await sell('k3', '"4-available"', 1)).toBe(200);
});

test('an update with a key that was refused is not applied any more', async () => {
  await put(7, available(5));
  expect(await sell('k4')).toBe('precondition_failed');
  await put(7, seven);
  expect(await sell('k4')).toBe('idempotency_key_reused');
  await remove();
  expect(await sell('k5')).toBe('pet_not_found');
  await put(7, seven);
  expect(await sell('k5')).toBe('idempotency_key_reused');
  expect((await stored(7))?.quantity).toStrictEqual({ N: '7' });
});

test('a late attempt that is applied while the next one is refused is told of', async () => {
  await put(7, available(5));
  let first: Passing['body'];
  happenings = [
    async (call) => {
      first = { ...call.body };
      return pass(call);
    },
    async (call) => {
      await put(7, seven);
      const check = { ...call.body };
      Object.assign(call.body, first);
      await call.forward();
      Object.assign(call.body, check);
      return pass(call);
    },
  ];
  expect(await sell('k6')).toBe(200);
  await put(7, available(9));
  expect(await sell('k6')).toBe(200);
  expect((await stored(7))?.quantity).toStrictEqual({ N: '9' });
});

test('what names an update is the same in every version, and a check takes its token', async () => {
  await remove();
  const bodies: Passing['body'][] = [];
  const seen: Happening = async (call) => {
    bodies.push({ ...call.body });
    return pass(call);
  };
  happenings = [seen, seen];
  expect(await sell('k7')).toBe('pet_not_found');
  const scope = { TableName: tableName, keyId: 'key-1', petId: 7n, idempotencyKey: 'k7' };
  const ClientRequestToken = tokenOf(scope);
  expect(bodies).toStrictEqual([
    {
      ClientRequestToken,
      ReturnConsumedCapacity: 'TOTAL',
      TransactItems: [
        {
          Update: {
            TableName: tableName,
            Key: { petId: { N: '7' } },
            UpdateExpression: 'SET #quantity = :quantity',
            ConditionExpression: '#quantity = :currentQuantity AND #status = :currentStatus',
            ExpressionAttributeNames: { '#quantity': 'quantity', '#status': 'status' },
            ExpressionAttributeValues: {
              ':quantity': { N: '4' },
              ':currentQuantity': { N: '7' },
              ':currentStatus': { S: 'available' },
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
      ],
    },
    {
      ClientRequestToken,
      ReturnConsumedCapacity: 'TOTAL',
      TransactItems: [
        {
          ConditionCheck: {
            TableName: tableName,
            // Not that of the pet, whose updates it would hold up.
            Key: { petId: { N: String(petIdOfToken(ClientRequestToken)) } },
            ConditionExpression: 'attribute_exists(petId) OR attribute_not_exists(petId)',
          },
        },
      ],
    },
  ]);
});

test.each([[['']], [['a b']], [['ä']], [['x'.repeat(256)]], [['a', 'b']]])(
  'is a 400 with the key %j',
  async (keys) => {
    for (const ifMatch of [etag, '*']) {
      const headers = { 'If-Match': [ifMatch], 'Idempotency-Key': keys };
      const { body } = await patch('7', '{"quantity":4}', headers);
      expect(JSON.parse(body).code).toBe('invalid_idempotency_key');
    }
  },
);

test('an outcome that is not known is a fault of the stage, and alone rolls no release back', async () => {
  const retries = requestAttempts - 1;
  const attempts = { response: outcomeUnknown, calls: requestAttempts };
  const lost = [applied, ...Array(retries).fill(unanswered)];
  expect(await attemptsDuring(lost, seven, etag)).toStrictEqual(attempts);
  const socket = errorFields('Error', expect.any(String));
  const message = expect.stringMatching(/^DynamoDB sent no complete response: ./);
  const [, code, unknown] = errors.outcomeUnknown;
  const error = errorFields('ApiError', unknown, errorFields('TransientError', message, socket));
  const fields = {
    status: 500,
    code,
    ...ofUpdate,
    ifMatch: etag,
    retries,
    ...error,
  };
  expect(log).toStrictEqual([faultLine('updateInventory', fields, { ofVersion: false })]);
});

test('an update with an ETag that meets others is applied when it has its turn', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const { response, calls } = await attemptsDuring(Array(20).fill(conflicting), seven, etag);
  expect([response, calls]).toStrictEqual([updated(4), 21]);
  expect(log).toStrictEqual([appliedLine({ retries: 20, ifMatch: etag, quantityFrom: '7' })]);
});

test('clients that always meet on one pet get a 503, and roll no release back', async () => {
  aSecondEach();
  const attempts = { response: unavailable, calls: inBusyTime };
  const conflicts = Array(inBusyTime).fill(conflicting);
  expect(await attemptsDuring(conflicts, seven, etag)).toStrictEqual(attempts);
  const error = {
    ...errorFields('TransactionCanceledException', 'TransactionCanceledException'),
    cancellationReasons: [{ Code: 'TransactionConflict', Message: 'why' }],
  };
  const fields = {
    status: 503,
    code: 'service_unavailable',
    ...ofUpdate,
    ifMatch: etag,
  };
  expect(log).toStrictEqual([
    faultLine(
      'updateInventory',
      { ...fields, retries: inBusyTime - 1, ...error },
      { ofVersion: false },
    ),
  ]);
});

/** The beginning of the SHA-256 of `k8`. */
const idempotencyKeyHash = '5a3df89da7bf23d7';

test('an update that was applied before is logged as repeated, and not counted again', async () => {
  await put(7, seven);
  expect([await sell('k8'), await sell('k8')]).toStrictEqual([200, 200]);
  const change = { quantityFrom: '7', ifMatch: etag, idempotencyKeyHash };
  expect(log).toStrictEqual([
    appliedLine(change),
    appliedLine({ ...change, repeated: true }, false),
  ]);
});

test('an update whose response was lost counts, although its next attempt only reads', async () => {
  const { response } = await attemptsDuring([applied], seven, etag);
  expect(response).toStrictEqual(updated(4));
  expect(log).toStrictEqual([appliedLine({ retries: 1, quantityFrom: '7', ifMatch: etag })]);
});

test('after any pause, a false condition is a 412 with its ETag', async () => {
  const usedAt = new WeakMap<object, number>();
  /** Whoever stands in between has closed what was idle for 2.5 s, and a frozen instance is told late. */
  const closesIdle: Happening = async (call) => {
    const { socket } = call.response.req;
    if (Date.now() - (usedAt.get(socket) ?? Date.now()) > 2_500) {
      socket.resetAndDestroy();
      return 'written';
    }
    await pass(call);
    usedAt.set(socket, Date.now());
    return 'written';
  };
  for (const pause of [0, 2_400, 2_600, 3_600_000]) {
    // The clock moves, and no time passes.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + pause);
    const { response } = await attemptsDuring([closesIdle], seven, '"5-available"');
    expect({ pause, response }).toStrictEqual({ pause, response: otherEtag });
  }
});
