import { type AttributeValue, DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { attemptTimeout } from '../../functions/shared/time-limits.ts';
import { createTable } from '../support/dynamodb/create-table.ts';
import { respondWithError, retryAtOnce } from '../support/dynamodb/dynamodb.ts';
import { dynamodbProxy, pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import {
  contextWith,
  errorResult,
  eventOf,
  internalError,
  patchEvent,
  setEnvironment,
  stream,
  unavailable,
} from '../support/functions/functions.ts';
import { takeMiddyTimer } from '../support/functions/middy-timer.ts';
import { errors } from '../support/http/rejections.ts';
import { atEnd } from '../support/process/at-end.ts';
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

const engineEndpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';
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

const proxy = await dynamodbProxy(engineEndpoint, async (call) => {
  if (fault === undefined || fault.times === 0) {
    return pass(call);
  }
  fault.times -= 1;
  const { kind } = fault;
  await kind.what(call);
  if (kind.silent) {
    endSilence();
  }
  return 'written';
});
atEnd(proxy.close);

const { timeIsOver } = takeMiddyTimer();
const TableName = `table-${crypto.randomUUID()}`;
const keysTableName = `keys-${crypto.randomUUID()}`;
setEnvironment({
  AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint,
  INVENTORY_TABLE_NAME: TableName,
  API_KEYS_TABLE_NAME: keysTableName,
});
const { client } = await import('../../functions/dynamodb/dynamodb-client.ts');
const { handler: update } = await import('../../functions/update-inventory.ts');
const { handler: list } = await import('../../functions/list-inventory.ts');
const { handler: authorize } = await import('../../functions/authorizer.ts');
retryAtOnce(client);

const engine = new DynamoDB({ endpoint: engineEndpoint });
afterAll(() => engine.destroy());
await createTable(engine, { name: TableName, key: 'petId', type: 'N' });
await createTable(engine, { name: keysTableName, key: 'keyHash', type: 'S' });
const apiKey = 'petstore_staging_000102030405060708090a0b0c0d0e0f10111213dd2b7b0b';
await engine.putItem({
  TableName: keysTableName,
  Item: {
    keyHash: { S: 'dd7d0d5c46b95001a604a1cc4c2023e983f97d3aba3cd2ee3370ef6d4d895b4d' },
    keyId: { S: 'key-1' },
  },
});
const Item: Record<string, AttributeValue> = {
  petId: { N: '7' },
  quantity: { N: '7' },
  status: { S: 'available' },
};

const log = captureLog();

/** Updates an item from 7 to 4 while a fault happens. Returns the response and the quantity then. */
const updateDuring = async (kind: Kind, times: number, ifMatch: string[] = []) => {
  await engine.putItem({ TableName, Item });
  fault = { kind, times };
  const headers: Record<string, string[]> = ifMatch.length > 0 ? { 'If-Match': ifMatch } : {};
  const event = patchEvent('7', '{"quantity":4}', headers);
  const response = (await update(event, contextWith(10_000))) as APIGatewayProxyResult;
  fault = undefined;
  const { petId } = Item;
  const { Item: item } = await engine.getItem({ TableName, Key: { petId: petId as never } });
  return { response, quantity: Number(item?.quantity?.N) };
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
    expect(await updateDuring(kind, 1, ['"7-available"'])).toEqual({
      response: once,
      quantity: kind.once === 200 || isRun ? 4 : 7,
    });
    const lasting = await updateDuring(kind, always, ['"7-available"']);
    expect(lasting.response).toEqual(withEtag(kind, kind.forEver));
  });

  test('an update whose If-Match does not match is never applied', async () => {
    const { response, quantity } = await updateDuring(kind, 1, ['"5-available"']);
    expect([response, quantity]).toEqual([mismatched(kind), 7]);
  });

  test('a list and an authorization have the expected outcome', async () => {
    await engine.putItem({ TableName, Item });
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
  const what: Kind['what'] = (call) => {
    calls += 1;
    const throttled = respondWithError(400, 'ThrottlingException');
    return calls > failing ? timeIsOver() : throttled(call);
  };
  fault = { kind: { name: 'silence', once: 504, forEver: 504, what }, times: 2 };
  const response = await update(patchEvent('7', '{"quantity":4}'), contextWith(10_000));
  fault = undefined;
  expect(response).toEqual(errorResult(...errors.timeout));
  expect(log).toMatchObject([{ status: 504, Faults: 1 }]);
  expect(log[0].cause?.errorType).toBe(cause);
});
