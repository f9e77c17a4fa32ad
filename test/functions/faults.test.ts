import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { type FunctionName, functionSpecs, tablesOf } from '../../infra/service/operations.ts';
import { createTable } from '../support/dynamodb/create-table.ts';
import {
  aSecondEach,
  respondWithError,
  type Script,
  takeSilence,
} from '../support/dynamodb/dynamodb.ts';
import { type Passing, pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import { type Kind, quickKinds } from '../support/dynamodb/kinds.ts';
import { captureLog, errorFields, faultLine } from '../support/functions/capture-log.ts';
import {
  contextWith,
  errorResult,
  eventOf,
  internalError,
  stream,
  timedOut,
  unavailable,
} from '../support/functions/functions.ts';
import { takeMiddyTimer } from '../support/functions/middy-timer.ts';
import { errors } from '../support/http/rejections.ts';

/** A fault, to how many of the next calls of a function it still happens, and to which. */
interface Fault {
  of: FunctionName;
  what: Script;
  silent?: boolean | undefined;
  times: number;
  where?: (input: Passing['body']) => boolean;
}
let fault: Fault | undefined;
/** The calls of its function since it began. */
let calls = 0;

let endSilence = () => {};
beforeEach(() => {
  endSilence = takeSilence();
  // Of the random time before a retry, the SDK then waits none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

const callsOf = new Map(
  functionSpecs.map((spec) => [spec.name, tablesOf(spec).flatMap(([, { calls }]) => calls)]),
);

const { timeIsOver, timeOfRequest } = takeMiddyTimer();
const keysTable = `keys-${crypto.randomUUID()}`;
const react = async (call: Passing) => {
  if (call.operation === 'Scan') {
    // DynamoDB may always send fewer. Every segment then has several pages.
    call.body.Limit = 2;
  }
  const isItsCall = fault !== undefined && callsOf.get(fault.of)?.includes(call.operation);
  const happening = isItsCall ? fault : undefined;
  calls += happening ? 1 : 0;
  if (!happening || happening.times === 0 || !(happening.where?.(call.body) ?? true)) {
    return pass(call);
  }
  happening.times -= 1;
  await happening.what(call);
  if (happening.silent) {
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
const apiKey = 'petstore_staging_000102030405060708090a0b0c0d0e0f101112131415161718191a1b60d1f6bc';
await engine.putItem({
  TableName: keysTable,
  Item: {
    keyHash: { S: '03642852efcb39f8034681f12a4094c93d505ab7980c7cc61336e5cdc747612e' },
    keyId: { S: 'key-1' },
    access: { S: 'write' },
  },
});
const item = { quantity: { N: '7' }, status: { S: 'available' } };
const petIds = Array.from({ length: 8 }, (_, index) => index);
await Promise.all(petIds.map((petId) => put(petId, item)));

const log = captureLog();

/** Does something while a fault happens. */
const during = async <Result>(next: Fault, act: () => Promise<Result>): Promise<Result> => {
  calls = 0;
  fault = next;
  try {
    return await act();
  } finally {
    fault = undefined;
  }
};

type What = Omit<Fault, 'of'>;

interface Update {
  petId?: string;
  ifMatch?: string;
  hasKey?: boolean;
}

/** Updates pet 7 from 7 to 4, or another pet. Returns the response, the calls and the quantity. */
const updateDuring = async (what: What, { petId = '7', ifMatch, hasKey }: Update = {}) => {
  await put(7, item);
  const key = crypto.randomUUID();
  const { headers, ...others } = await during({ ...what, of: 'UpdateInventory' }, () =>
    patch(petId, '{"quantity":4}', {
      ...(ifMatch !== undefined && { 'If-Match': [ifMatch] }),
      ...(hasKey && { 'Idempotency-Key': [key] }),
    }),
  );
  const { 'Idempotency-Key': repeated, ...shown } = headers ?? {};
  expect([undefined, key]).toContain(repeated);
  const response = { ...others, headers: shown };
  return { response, calls, quantity: Number((await stored(7))?.quantity?.N) };
};

const updated = {
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ETag: '"4-available"' },
  body: '{"petId":7,"quantity":4,"status":"available"}',
};
const notFound = errorResult(...errors.notFound);
const conditionFailed = (etag: string) =>
  errorResult(
    412,
    'precondition_failed',
    'The entry does not match If-Match. The ETag that it had is in the ETag header.',
    { ETag: etag },
  );
const responses: Record<number, APIGatewayProxyResult> = { 500: internalError, 503: unavailable };

/** The response to an update whose attempts are repeated. */
const repeated = (status: number, success: APIGatewayProxyResult) =>
  status === 200 ? success : responses[status];

/** Returns the id of the key as which the authorizer lets a client in. */
const authorizeDuring = (what: What) =>
  during({ ...what, of: 'Authorizer' }, async () => {
    const token = { type: 'TOKEN', authorizationToken: `Bearer ${apiKey}` } as const;
    const event = { ...token, methodArn: 'arn/staging/GET/' };
    return (await authorize(event, contextWith(10_000))).principalId;
  });

/**
 * Waits for the calls that a list has sent before it failed. None of them may meet the fault of the
 * next test. They left before these updates, and have arrived when these have their responses.
 */
const lastCallsArrived = async () => {
  for (let update = 0; update < 3; update++) {
    await patch('404', '{"quantity":4}');
  }
};

/** Lists during a fault. Returns what the client gets; of entries only the petIds, in order. */
const listDuring = (what: What) =>
  during({ ...what, of: 'ListInventory' }, async () => {
    const { response, ended } = stream(list, eventOf(), 300_000);
    const [{ status }] = await Promise.allSettled([ended]);
    const { statusCode, headers } = response.metadata ?? {};
    if (statusCode === 200 && status === 'fulfilled') {
      const entries: { petId: number }[] = JSON.parse(response.text);
      return { statusCode, headers, body: entries.map(({ petId }) => petId).sort((a, b) => a - b) };
    }
    await lastCallsArrived();
    const body = status === 'fulfilled' ? response.text : 'cut off';
    return { statusCode, headers, body };
  });
const listHeaders = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' };
const listed = (status: number) =>
  status === 200 ? { statusCode: 200, headers: listHeaders, body: petIds } : responses[status];

const isLater = ({ ExclusiveStartKey }: Passing['body']) => ExclusiveStartKey !== undefined;

/** The status that a client gets if a fault happens to one call of its request. */
const onceGets = ({ retried, gets }: Kind) => (retried ? 200 : gets);

/** A fault that happens to one call, and one that happens to all. */
const once = ({ what, silent }: Kind) => ({ what, silent, times: 1 });
const always = ({ what, silent }: Kind) => ({ what, silent, times: Number.POSITIVE_INFINITY });

/** An update that leaves a receipt, for which either an ETag or a key would do. */
const withReceipt = { ifMatch: '"7-available"', hasKey: true };

const testUpdates = (kind: Kind): void => {
  const hasDigits = kind.name.startsWith('a response with digits');
  const status = onceGets(kind);
  const attempts = kind.retried ? 2 : 1;
  // Some local engines send errors without a checksum, so they are believed.
  const isBelieved = kind.name === 'a response with digits changed and no checksum';
  const single = once(kind);
  const lasting = always(kind);

  test('an update is applied if its response says so', async () => {
    expect(await updateDuring(single)).toStrictEqual({
      response: repeated(status, updated),
      calls: attempts,
      quantity: kind.retried ? 4 : 7,
    });
    const { response } = await updateDuring(lasting);
    expect(response).toStrictEqual(repeated(kind.gets, updated));
  });

  test('an update of no entry is a 404', async () => {
    const { response } = await updateDuring(single, { petId: '404' });
    expect(response).toStrictEqual(repeated(status, notFound));
  });

  test('an update with a receipt is applied if its response says so', async () => {
    expect(await updateDuring(single, withReceipt)).toStrictEqual({
      response: repeated(status, updated),
      // A transaction's response, {}, has no digits that could be changed.
      calls: hasDigits ? expect.any(Number) : attempts,
      quantity: kind.retried || kind.run === 'yes' ? 4 : 7,
    });
    // It is sent for as long as it has time.
    aSecondEach();
    const { response } = await updateDuring(lasting, withReceipt);
    if (!hasDigits) {
      expect(response).toStrictEqual(repeated(kind.gets, updated));
    }
  });

  test('an update with a receipt is not applied to another stock', async () => {
    const other = { ...withReceipt, ifMatch: '"5-available"' };
    const { response, quantity } = await updateDuring(single, other);
    expect(quantity).toBe(7);
    const now = isBelieved ? '"9-available"' : '"7-available"';
    expect(response).toStrictEqual(repeated(status, conditionFailed(now)));
  });
};

const testKeys = (kind: Kind): void => {
  test('a key is checked, or nobody is let in', async () => {
    const keyId = await authorizeDuring(always(kind)).catch(() => 'nobody');
    expect(keyId).toBe(kind.gets === 200 ? 'key-1' : 'nobody');
  });
};

const testLists = (kind: Kind): void => {
  test('a list begins with an Error response, or is complete', async () => {
    expect(await listDuring(always(kind))).toStrictEqual(listed(kind.gets));
  });
};

/** What the faults may not do to the requests of each function. */
const testsOf: Record<FunctionName, (kind: Kind) => void> = {
  UpdateInventory: testUpdates,
  Authorizer: testKeys,
  ListInventory: testLists,
};

describe.each(quickKinds)('despite $name', (kind) => {
  for (const addTests of Object.values(testsOf)) {
    addTests(kind);
  }
});

// Of several attempts that wait, no test can tell which one is silent.
test.each(quickKinds.filter(({ silent }) => !silent))(
  'despite $name on a later page, a list is complete, or cut off',
  async ({ what, retried }) => {
    const body = retried ? petIds : 'cut off';
    const response = await listDuring({ what, times: 1, where: isLater });
    expect(response).toStrictEqual({ statusCode: 200, headers: listHeaders, body });
  },
);

test.each([
  { what: 'why its last attempt has failed', failing: 1, ifMatch: undefined },
  { what: 'no cause if no attempt has', failing: 0, ifMatch: undefined },
  { what: 'why its last attempt has failed, with an ETag', failing: 1, ifMatch: '"7-available"' },
  { what: 'no cause if no attempt has, with an ETag', failing: 0, ifMatch: '"7-available"' },
])('an update that runs out of time logs $what', async ({ failing, ifMatch }) => {
  const attemptEnded = Promise.withResolvers<void>();
  let attempts = 0;
  const what: Script = (call) => {
    attempts += 1;
    if (attempts <= failing) {
      return respondWithError(400, 'ThrottlingException')(call);
    }
    call.response.once('close', attemptEnded.resolve);
    return timeIsOver();
  };
  const { response } = await updateDuring({ what, times: 2 }, { ...(ifMatch && { ifMatch }) });
  // The attempt that was given up may still be applied.
  expect(response).toStrictEqual(timedOut);
  // A second before Lambda would end the function.
  expect(timeOfRequest()).toBe(9_000);
  await attemptEnded.promise;

  const { code, message, status } = JSON.parse(response.body);
  const cause = errorFields('ThrottlingException', 'Not a word of this to clients.');
  const error = errorFields('ApiError', message, failing > 0 ? cause : undefined);
  const ofVersion = failing === 0;
  const retries = failing > 0 ? { retries: failing } : {};
  const fields = {
    status,
    code,
    petId: '7',
    quantityTo: 4,
    ...retries,
    ...(ifMatch && { ifMatch }),
    ...error,
  };
  expect(log).toStrictEqual([faultLine('updateInventory', fields, { ofVersion })]);
});
