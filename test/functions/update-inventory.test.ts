// What an update does, in update-inventory.txt:
//
//     # what an update shows
//     > entry 7 {"what":"the table has of pet 7"}
//     > no entry 7
//     > the writes are lost; throttled × 2: what happens to the next writes, in words of `happening`
//     $ PATCH 7 If-Match: *; Idempotency-Key: a
//     $$ its body, unless it is {"quantity":4}
//     < the status {"Name":"value"}, without the header of every response
//     < the body
//     ~ the line of the log, without what every one has, and what of it is counted
//     + what the table has of the pet
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { aSecondEach } from '../support/dynamodb/dynamodb.ts';
import { type Passing, pass, type Reaction } from '../support/dynamodb/dynamodb-proxy.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import { unitsOfUpdate } from '../support/figures.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { takeMiddyTimer } from '../support/functions/middy-timer.ts';
import { shownLine } from '../support/functions/shown.ts';
import { type Act, type Play, recorded, whole } from '../support/recorded.ts';

/** What happens to a write of the function. */
type Happening = (call: Passing) => Promise<Reaction>;

/** What happens to the next writes, one each; all later ones are passed on. */
let happenings: Happening[] = [];
let calls: string[] = [];
const { timeIsOver, timeOfRequest } = takeMiddyTimer();
const { engine, tableName, put, stored, patch } = await inventoryTable((call) => {
  calls.push(call.operation);
  return (happenings.shift() ?? pass)(call);
});
const log = captureLog();

const remove = (petId: string) =>
  engine.deleteItem({ TableName: tableName, Key: { petId: { N: petId } } });

const seven = { quantity: { N: '7' }, status: { S: 'available' } };
const etag = '"7-available"';

/** Returns a happening in which DynamoDB rejects a write. */
const rejected =
  (name: string): Happening =>
  async () => ({
    status: 400,
    body: { __type: `x#${name}`, message: 'Not a word of this to clients.' },
  });

/** Returns a happening in which a write is applied, its response is lost, and then something happens. */
const appliedAndLost =
  (then: () => unknown = () => {}): Happening =>
  async ({ forward }) => {
    await forward();
    await then();
    return undefined;
  };

type Reason = { Code: string; Item?: object };

/** Returns a happening in which DynamoDB reports in another way why a transaction is cancelled. */
const reported =
  (change: (ofReceipt: Reason, ofEntry: Reason) => [Reason, Reason]): Happening =>
  async ({ forward }) => {
    const { status, body } = await forward();
    const [ofReceipt, ofEntry] = body.CancellationReasons;
    return { status, body: { ...body, CancellationReasons: change(ofReceipt, ofEntry) } };
  };

/** Returns a happening in which DynamoDB shows a receipt with other attributes. */
const shown = (attributes: object): Happening =>
  reported(({ Code, Item }, ofEntry) => [{ Code, Item: { ...Item, ...attributes } }, ofEntry]);

const notFalse = { Code: 'None' };
const inConflict = { Code: 'TransactionConflict', Message: 'why' };

/** Ends with the attempt that was under way when the time was over. */
let givenUp: Promise<unknown> | undefined;

/** What may happen to a write, by its name. */
const happening: Record<string, Happening> = {
  passed: pass,
  lost: async () => undefined,
  throttled: rejected('ProvisionedThroughputExceededException'),
  denied: rejected('ValidationException'),
  'in conflict': async (call) =>
    call.operation === 'TransactWriteItems'
      ? {
          status: 400,
          body: {
            __type: 'x#TransactionCanceledException',
            CancellationReasons: [notFalse, inConflict],
          },
        }
      : rejected('TransactionConflictException')(call),
  'not answered before the time is over': async ({ response }) => {
    givenUp = once(response, 'close');
    timeIsOver();
    return 'written';
  },
  'reported without the receipt': reported((_, ofEntry) => [notFalse, ofEntry]),
  'reported without the entry': reported((ofReceipt) => [ofReceipt, notFalse]),
  'reported with a conflict over the receipt': reported((_, ofEntry) => [inConflict, ofEntry]),
  'reported with a conflict over the entry': reported((ofReceipt) => [ofReceipt, inConflict]),
  'reported without what it says': reported(({ Code }, ofEntry) => [{ Code }, ofEntry]),
  'reported with the receipt of another': shown({ id: { S: 'another' } }),
  'reported with a receipt of no request': shown({ request: {} }),
  'reported with the outcome of a later version': shown({ outcome: { S: 'postponed' } }),
  'reported with the status of a later version': shown({ etag: { S: '"4-reserved"' } }),
  'applied, lost': appliedAndLost(),
  'applied, lost, and the entry is removed': appliedAndLost(() => remove('7')),
  'applied, lost, and the stock comes back': appliedAndLost(() => put(7, seven)),
};

const happeningsOf = (text: string): Happening[] =>
  text.split('; ').flatMap((part) => {
    const [name = '', times = 1] = part.split(' × ');
    return Array<Happening>(Number(times)).fill(happening[name] as Happening);
  });

const situations: Play['situations'] = {
  entry: (text) => {
    const [, petId = '', item = ''] = /^(\d+) (.*)$/.exec(text) ?? [];
    return put(BigInt(petId), JSON.parse(item));
  },
  'no entry': (petId) => remove(petId),
  'the writes are': (what) => {
    happenings = happeningsOf(what);
  },
  'each attempt takes a second': aSecondEach,
};

/** Returns what the table has of a pet. Each engine has its own order of attributes. */
const shownItem = async (petId: string): Promise<string> => {
  const { petId: _, ...attributes } = (await stored(BigInt(petId))) ?? {};
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? 'gone' : JSON.stringify(Object.fromEntries(sorted));
};

/** Node has several words for a connection that is cut. */
const masked = (line: string): string => line.replaceAll(/socket hang up|read ECONNRESET/g, 'CUT');

/** Sends an update. Returns all that comes of it. */
const sent = async ({ text, body = '{"quantity":4}' }: Act): Promise<string[]> => {
  const [, petId = '', given = ''] = /^PATCH (\S+) ?(.*)$/.exec(text) ?? [];
  const headers = given
    .split('; ')
    .filter((header) => header !== '')
    .map((header) => header.split(/: (.*)/).slice(0, 2));
  log.length = 0;
  givenUp = undefined;
  const result = await patch(
    petId,
    body,
    Object.fromEntries(headers.map(([name, value = '']) => [name, [whole(value)]])),
  );
  await givenUp;
  // A second before Lambda would end the function.
  expect(timeOfRequest()).toBe(9_000);
  const shown = log.flatMap(shownLine).map(masked);
  happenings = [];
  const { 'Content-Type': type, ...unusual } = result.headers ?? {};
  expect(type).toBe('application/json');
  return [
    `< ${result.statusCode} ${JSON.stringify(unusual)}`,
    `< ${result.body}`,
    ...shown,
    `+ ${await shownItem(petId)}`,
  ];
};

recorded(join(import.meta.dirname, 'update-inventory.txt'), () => {
  // No wait is longer than it must be.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  return { situations, act: sent };
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

/** The write units of each call: two for each item of a transaction. */
const unitsOf: Record<string, number> = { UpdateItem: 1, PutItem: 1, TransactWriteItems: 4 };

test('sends the calls that figures.ts counts units for, and no others', async () => {
  const unitsWith = async (headers: Record<string, string[]>): Promise<number> => {
    await put(7, seven);
    calls = [];
    await patch('7', '{"quantity":4}', headers);
    return calls.map((call) => unitsOf[call] ?? Number.NaN).reduce((sum, units) => sum + units, 0);
  };
  const key = (name: string) => ({ 'Idempotency-Key': [name] });
  const other = { 'If-Match': ['"9-sold"'] };
  const { plain, withReceipt, refused } = unitsOfUpdate;
  expect({
    plain: await unitsWith({}),
    any: await unitsWith({ 'If-Match': ['*'] }),
    conditional: await unitsWith({ 'If-Match': [etag] }),
    refused: await unitsWith(other),
    plainWithKey: await unitsWith(key('plain')),
    applied: await unitsWith({ 'If-Match': [etag], ...key('used') }),
    again: await unitsWith({ 'If-Match': [etag], ...key('used') }),
    reused: await unitsWith({ ...other, ...key('used') }),
    refusedWithKey: await unitsWith({ ...other, ...key('refused') }),
    refusedAgain: await unitsWith({ ...other, ...key('refused') }),
  }).toStrictEqual({
    plain,
    any: plain,
    conditional: withReceipt,
    refused,
    plainWithKey: withReceipt,
    applied: withReceipt,
    again: withReceipt,
    reused: withReceipt,
    refusedWithKey: refused,
    refusedAgain: withReceipt,
  });
});

test('names a receipt, and what it is of, in the same way in every version', async () => {
  await put(7, seven);
  jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
  const bodies: Passing['body'][] = [];
  const seen: Happening = async (call) => {
    bodies.push({ ...call.body });
    return pass(call);
  };
  happenings = [seen, seen, seen];
  await patch('7', '{"quantity":4}', { 'If-Match': [etag], 'Idempotency-Key': ['k7'] });
  await patch('7', '{"quantity":4}', { 'Idempotency-Key': ['any'] });
  await patch('7', '{"quantity":7}', { 'If-Match': ['"4-available"'] });
  const [withEtag, withKey, withoutKey] = bodies.map((body) => body.TransactItems[0].Put.Item);
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  expect(withEtag).toStrictEqual({
    id: { S: 'OVsQ3WZWX9M3kCbL21VtFQA131ykszytQlsuwnypEhM' },
    request: { S: 'LhX06ZGOO8uZMjaIrbcxbJVs0PCnD4wVkYyJTFAUJaY' },
    writer: { S: expect.stringMatching(uuid) },
    outcome: { S: 'applied' },
    etag: { S: '"4-available"' },
    // Eight days later.
    expiresAt: { N: '1800691200' },
  });
  expect(withKey.request).toStrictEqual({ S: 'IChYYRflZ-AwuG6Nn3khrzS3xpeVDIURnUsAqOf_Sjg' });
  expect(withoutKey.id).toStrictEqual(withoutKey.writer);
  expect(withoutKey.writer).not.toStrictEqual(withEtag.writer);
});
