import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { attemptTimeout } from '../../functions/shared/time-limits.ts';
import { createTable } from '../support/dynamodb/create-table.ts';
import { respondWithError } from '../support/dynamodb/dynamodb.ts';
import { type Passing, pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import {
  contextWith,
  errorResult,
  eventOf,
  internalError,
  stream,
  unavailable,
} from '../support/functions/functions.ts';
import { takeMiddyTimer } from '../support/functions/middy-timer.ts';
import { errors } from '../support/http/rejections.ts';
import { type Kind, kinds } from '../system/faults/kinds.ts';

/** These faults take real time, which only the local run gives them. */
const slow = [
  'a slow response',
  'silence, and the engine runs the call later',
  'a byte every 700 ms',
];
const quick = kinds.filter(({ name }) => !slow.includes(name));

/** After these faults, it is certain that DynamoDB has not run the call. */
const rejections = [
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'throttling that asks for a longer wait',
  'a clock an hour ahead',
  'a clock an hour behind',
];

/** The fault of the next calls, and how many calls it still has. */
let fault: { kind: Kind; times: number } | undefined;
let timers: jest.Spied<typeof setTimeout>;
beforeEach(() => {
  timers = jest.spyOn(globalThis, 'setTimeout');
});

/** Lets the time limit of the attempt that waits be over. */
const endSilence = (): void => {
  const [giveUp] = timers.mock.calls.findLast(([, delay]) => delay === attemptTimeout) ?? [];
  (giveUp as () => void)();
};

const { timeIsOver, timeOfRequest } = takeMiddyTimer();
const keysTable = `keys-${crypto.randomUUID()}`;
const react = async (call: Passing) => {
  if (fault === undefined || fault.times === 0) {
    return pass(call);
  }
  fault.times -= 1;
  const { kind } = fault;
  await kind.what(call);
  if (kind.silent) {
    endSilence();
  }
  return 'written' as const;
};
const { engine, put, stored, patch } = await inventoryTable(react, {
  API_KEYS_TABLE_NAME: keysTable,
});
const { handler: list } = await import('../../functions/list-inventory.ts');
const { handler: authorize } = await import('../../functions/authorizer.ts');

await createTable(engine, { name: keysTable, key: 'keyHash', type: 'S' });
const apiKey = 'petstore_staging_000102030405060708090a0b0c0d0e0f10111213dd2b7b0b';
await engine.putItem({
  TableName: keysTable,
  Item: {
    keyHash: { S: 'dd7d0d5c46b95001a604a1cc4c2023e983f97d3aba3cd2ee3370ef6d4d895b4d' },
    keyId: { S: 'key-1' },
  },
});
const item = { quantity: { N: '7' }, status: { S: 'available' } };

const log = captureLog();

/** Updates an item from 7 to 4 while a fault happens. Returns the response and the quantity then. */
const updateDuring = async (kind: Kind, times: number, ifMatch?: string) => {
  await put(7, item);
  fault = { kind, times };
  const response = await patch('7', '{"quantity":4}', ifMatch ? { 'If-Match': [ifMatch] } : {});
  fault = undefined;
  return { response, quantity: Number((await stored(7))?.quantity?.N) };
};

const updated = {
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ETag: '"4-available"' },
  body: '{"petId":7,"quantity":4,"status":"available"}',
};
const outcomeUnknown = errorResult(
  503,
  'service_unavailable',
  'It is not known whether the update was applied. Look at the entry before sending another.',
  { 'Retry-After': '1' },
);
const conditionFailed = errorResult(
  412,
  'precondition_failed',
  'The entry is not as If-Match says. The ETag header says how it is now.',
  { ETag: '"7-available"' },
);
const responses: Record<number, object> = { 200: updated, 500: internalError, 503: unavailable };
/** The response to a client that has sent an ETag. */
const withEtag = (kind: Kind, status: number) =>
  status === 503 && !rejections.includes(kind.name) ? outcomeUnknown : responses[status];

/** The response to a client whose ETag does not match. */
const mismatched = ({ name, once }: Kind) => {
  if (once !== 200) {
    return responses[once];
  }
  if (name === 'a response with digits changed and no checksum') {
    // DynamoDB Local sends errors without a checksum, so they are believed, but not as a success.
    return { ...conditionFailed, headers: { ...conditionFailed.headers, ETag: '"9-available"' } };
  }
  return rejections.includes(name) ? conditionFailed : outcomeUnknown;
};

describe.each(quick)('despite $name', (kind) => {
  const { isRun = false } = kind;
  const always = Number.POSITIVE_INFINITY;

  test('an update is applied if its response says so', async () => {
    expect(await updateDuring(kind, 1)).toEqual({
      response: responses[kind.once],
      quantity: kind.once === 200 || isRun ? 4 : 7,
    });
    const lasting = await updateDuring(kind, always);
    expect(lasting.response).toEqual(responses[kind.forEver]);
  });

  test('an update with If-Match is applied if it is a 200, and not if it is a 412', async () => {
    const once = kind.once === 200 && isRun ? outcomeUnknown : withEtag(kind, kind.once);
    expect(await updateDuring(kind, 1, '"7-available"')).toEqual({
      response: once,
      quantity: kind.once === 200 || isRun ? 4 : 7,
    });
    const lasting = await updateDuring(kind, always, '"7-available"');
    expect(lasting.response).toEqual(withEtag(kind, kind.forEver));
  });

  test('an update whose If-Match does not match is never applied', async () => {
    const { response, quantity } = await updateDuring(kind, 1, '"5-available"');
    expect([response, quantity]).toEqual([mismatched(kind), 7]);
  });

  test('a list and an authorization have the expected outcome', async () => {
    await put(7, item);
    for (const { times, status } of [
      { times: 1, status: kind.once },
      { times: always, status: kind.forEver },
    ]) {
      fault = { kind, times };
      const { response, ended } = stream(list, eventOf(), 300_000);
      await ended;
      expect(response.metadata?.statusCode).toBe(status);

      fault = { kind, times };
      const authorized = authorize(
        { type: 'TOKEN', authorizationToken: `Bearer ${apiKey}`, methodArn: 'arn/staging/GET/' },
        contextWith(10_000),
      );
      const outcome = await authorized.then(
        ({ principalId }) => principalId,
        () => 'failed',
      );
      expect(outcome).toBe(status === 200 ? 'key-1' : 'failed');
      fault = undefined;
    }
  });
});

test.each([
  { what: 'why its last attempt has failed', failing: 1, cause: 'ThrottlingException' },
  { what: 'no cause if no attempt has', failing: 0, cause: undefined },
])('an update that runs out of time is a 504, and logs $what', async ({ failing, cause }) => {
  let calls = 0;
  const attemptEnded = Promise.withResolvers<void>();
  const what: Kind['what'] = (call) => {
    calls += 1;
    if (calls <= failing) {
      return respondWithError(400, 'ThrottlingException')(call);
    }
    call.response.once('close', attemptEnded.resolve);
    return timeIsOver();
  };
  fault = { kind: { name: 'silence', once: 504, forEver: 504, what }, times: 2 };
  expect(await patch('7', '{"quantity":4}')).toEqual(errorResult(...errors.timeout));
  // A second before Lambda would end the function.
  expect(timeOfRequest()).toBe(9_000);
  await attemptEnded.promise;
  fault = undefined;
  expect(log).toMatchObject([{ status: 504, errorType: 'ApiError', Faults: 1 }]);
  expect(log[0].cause?.errorType).toBe(cause);
});
