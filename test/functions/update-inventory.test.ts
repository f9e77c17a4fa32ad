// What an update does, in update-inventory.txt:
//
//     # what an update shows
//     > 7 is {"what":"the table has of pet 7"}
//     > the writes are lost; throttled × 2: what happens to the next writes, of which `happening` has all;
//     > ATTEMPTS and BUSY are what time-limits.ts decides, and are shown where they are given
//     $ PATCH 7 If-Match: *; Idempotency-Key: a
//     $ its body, unless it is {"quantity":4}
//     < the status {"Name":"value"}, without the header of every response
//     < the body
//     ~ the line of the log, without what every one has, and what of it is counted
//     + what the table has of the pet
//
// All that comes of an update is compared as a whole. `UPDATE_EXCHANGES=1 npm test --
// test/functions/update-inventory.test.ts` writes it anew: read its diff.
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { petIdOfToken, tokenOf } from '../../functions/inventory/idempotency-key.ts';
import { requestAttempts } from '../../functions/shared/time-limits.ts';
import { unitsOfUpdate } from '../support/figures.ts';
import { aSecondEach, inBusyTime, respondWithError } from '../support/dynamodb/dynamodb.ts';
import { isUpdate, type Passing, pass, type Reaction } from '../support/dynamodb/dynamodb-proxy.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { shownLine } from '../support/functions/shown.ts';
import { testBlocks, whole } from '../support/text-tests.ts';

/** What happens to a write of the function. */
type Happening = (call: Passing) => Promise<Reaction>;

/** What happens to the next writes, one each; all later ones are passed on. */
let happenings: Happening[] = [];
/** The names of all calls. */
let calls: string[] = [];
const { engine, tableName, put, stored, patch } = await inventoryTable((call) => {
  calls.push(call.operation);
  return ((isUpdate(call) && happenings.shift()) || pass)(call);
});
const log = captureLog();

const remove = (petId: string) =>
  engine.deleteItem({ TableName: tableName, Key: { petId: { N: petId } } });

const seven = { quantity: { N: '7' }, status: { S: 'available' } };
const etag = '"7-available"';

/** What may happen to a write, by its name. */
const happening: Record<string, Happening> = {
  lost: async () => undefined,
  throttled: async (call) => {
    respondWithError(400, 'ProvisionedThroughputExceededException')(call);
    return 'written';
  },
  denied: async (call) => {
    respondWithError(400, 'ValidationException')(call);
    return 'written';
  },
  'in conflict': async ({ response }) => {
    const CancellationReasons = [{ Code: 'TransactionConflict', Message: 'why', Item: seven }];
    const body = { __type: 'x#TransactionCanceledException', CancellationReasons };
    response.writeHead(400).end(JSON.stringify(body));
    return 'written';
  },
  'applied, lost': async ({ forward }) => {
    await forward();
    return undefined;
  },
  'applied, lost, and the entry is removed': async ({ forward }) => {
    await forward();
    await remove('7');
    return undefined;
  },
  'applied, lost, and the stock comes back': async ({ forward }) => {
    await forward();
    await put(7, seven);
    return undefined;
  },
};

/** What time-limits.ts decides: how often an update is sent, and how often one that meets others. */
const times: Record<string, number> = { ATTEMPTS: requestAttempts, BUSY: inBusyTime };

/** Which of these the situation of the next request names. */
let named: string | undefined;

const happeningsOf = (text: string): Happening[] =>
  text.split('; ').flatMap((part) => {
    const [, name = '', count = 1, less = 0] = /^(.*?)(?: × (\w+)(?:-(\d+))?)?$/.exec(part) ?? [];
    const number = (times[count] ?? Number(count)) - Number(less);
    return Array<Happening>(number).fill(happening[name] as Happening);
  });

/** Does what a line with > says. */
const arrange = async (line: string): Promise<void> => {
  const [, petId = '', item = '', what = ''] =
    /^> (?:(\d+) is (.*)|the writes are (.*)|each .*)$/.exec(line) ?? [];
  if (what !== '') {
    happenings = happeningsOf(what);
    named = Object.keys(times).find((name) => what.includes(name));
  } else if (petId === '') {
    aSecondEach();
  } else if (item === 'gone') {
    await remove(petId);
  } else {
    await put(BigInt(petId), JSON.parse(item));
  }
};

/** Returns what the table has of a pet. Each engine has its own order of attributes. */
const shownItem = async (petId: string): Promise<string> => {
  const { petId: _, ...attributes } = (await stored(BigInt(petId))) ?? {};
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? 'gone' : JSON.stringify(Object.fromEntries(sorted));
};

/** Node has several words for a connection that is cut. */
const masked = (line: string): string => {
  const retries = Number(times[named ?? '']) - 1;
  return line
    .replaceAll(/socket hang up|read ECONNRESET/g, 'CUT')
    .replace(`"retries":${retries},`, `"retries":${named}-1,`);
};

/** Sends an update. Returns all that comes of it. */
const sent = async (request: string): Promise<string[]> => {
  const [line = '', body = '{"quantity":4}'] = request.split('\n').map((each) => each.slice(2));
  const [, petId = '', given = ''] = /^PATCH (\S+) ?(.*)$/.exec(line) ?? [];
  const headers = given
    .split('; ')
    .filter((header) => header !== '')
    .map((header) => header.split(/: (.*)/).slice(0, 2));
  log.length = 0;
  const result = await patch(
    petId,
    body,
    Object.fromEntries(headers.map(([name, value = '']) => [name, [whole(value)]])),
  );
  const shown = log.flatMap(shownLine).map(masked);
  happenings = [];
  named = undefined;
  const { 'Content-Type': type, ...unusual } = result.headers ?? {};
  expect(type).toBe('application/json');
  return [
    `< ${result.statusCode} ${JSON.stringify(unusual)}`,
    `< ${result.body}`,
    ...shown,
    `+ ${await shownItem(petId)}`,
  ];
};

testBlocks(join(import.meta.dirname, 'update-inventory.txt'), () => {
  // No wait is longer than it must be.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  return { arrange, send: sent };
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

test('sends the calls that figures.ts counts units for, and no others', async () => {
  const sentWith = async (headers: Record<string, string[]>): Promise<string[]> => {
    await put(7, seven);
    calls = [];
    await patch('7', '{"quantity":4}', headers);
    return calls;
  };
  const used = { 'Idempotency-Key': ['used'] };
  const other = { 'If-Match': ['"9-sold"'] };
  const transactions = (units: number) => Array(units / 2).fill('TransactWriteItems');
  const { unconditional, conditional, refusedWithKey, reusedKey } = unitsOfUpdate;
  const plain = Array(unconditional).fill('UpdateItem');
  expect({
    plain: await sentWith({}),
    any: await sentWith({ 'If-Match': ['*'], 'Idempotency-Key': ['any'] }),
    applied: await sentWith({ 'If-Match': [etag], ...used }),
    refused: await sentWith(other),
    refusedWithKey: await sentWith({ ...other, 'Idempotency-Key': ['units'] }),
    reused: await sentWith({ ...other, ...used }),
  }).toStrictEqual({
    plain,
    any: plain,
    applied: transactions(conditional),
    refused: transactions(conditional),
    refusedWithKey: transactions(refusedWithKey),
    reused: transactions(reusedKey),
  });
});

test('what names an update is the same in every version, and a check takes its token', async () => {
  await remove('7');
  const bodies: Passing['body'][] = [];
  const seen: Happening = async (call) => {
    bodies.push({ ...call.body });
    return pass(call);
  };
  happenings = [seen, seen];
  const { statusCode } = await patch('7', '{"quantity":4}', {
    'If-Match': [etag],
    'Idempotency-Key': ['k7'],
  });
  expect(statusCode).toBe(404);
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
