import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { createTable } from '../support/dynamodb/create-table.ts';
import { retryAtOnce } from '../support/dynamodb/dynamodb.ts';
import {
  dynamodbProxy,
  type Passing,
  pass,
  type Reaction,
} from '../support/dynamodb/dynamodb-proxy.ts';
import { captureLog, requestLine } from '../support/functions/capture-log.ts';
import {
  contextWith,
  errorResult,
  internalError,
  patchEvent,
  setEnvironment,
} from '../support/functions/functions.ts';
import { atEnd } from '../support/process/at-end.ts';

const engineEndpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';
/** What happens to the next calls, one each; all later ones are passed on. */
const reactions: ((call: Passing) => Promise<Reaction>)[] = [];
const proxy = await dynamodbProxy(engineEndpoint, (call) => (reactions.shift() ?? pass)(call));
atEnd(proxy.close);

const TableName = `table-${crypto.randomUUID()}`;
setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint, INVENTORY_TABLE_NAME: TableName });
const { handler } = await import('../../functions/update-inventory.ts');
const { client } = await import('../../functions/dynamodb/dynamodb-client.ts');
retryAtOnce(client);

const engine = new DynamoDB({ endpoint: engineEndpoint });
afterAll(() => engine.destroy());
await createTable(engine, { name: TableName, key: 'petId', type: 'N' });
const Key = { petId: { N: '7' } };
const put = (attributes: object) => engine.putItem({ TableName, Item: { ...Key, ...attributes } });
const stored = async () => (await engine.getItem({ TableName, Key })).Item;
const available = (quantity: number) => ({
  quantity: { N: String(quantity) },
  status: { S: 'available' },
});

const log = captureLog();
const patch = (quantity: number, headers: Record<string, string[]>, petId = '7') =>
  handler(
    patchEvent(petId, JSON.stringify({ quantity }), headers),
    contextWith(10_000),
  ) as Promise<APIGatewayProxyResult>;
const ifMatch = (...values: string[]): Record<string, string[]> => ({ 'If-Match': values });

const failed = 'The entry is not as If-Match says.';
const preconditionFailed = (ETag: string) =>
  errorResult(412, 'precondition_failed', `${failed} The ETag header says how it is now.`, {
    ETag,
  });
const outcomeUnknown = errorResult(
  503,
  'service_unavailable',
  'It is not known whether the update was applied. Look at the entry before sending another.',
  { 'Retry-After': '1' },
);

test.each(['"7-available"', '*'])('an update with If-Match: %s is applied', async (tag) => {
  await put(available(7));
  expect(await patch(4, { 'IF-match': [tag] })).toEqual({
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
  { what: 'a name of every object', tag: '"7-constructor"' },
  { what: 'a leading zero', tag: '"07-available"' },
  { what: 'a weak tag', tag: 'W/"7-available"' },
  { what: 'a quantity beyond the greatest', tag: '"9007199254740992-available"' },
  { what: 'an empty tag', tag: '""' },
  { what: 'a tag of 200 characters', tag: `"${'x'.repeat(198)}"` },
])('an update is not applied to an item whose ETag differs: $what', async ({ tag }) => {
  await put(available(7));
  expect(await patch(4, ifMatch(tag))).toEqual(preconditionFailed('"7-available"'));
  expect(await stored()).toEqual({ ...Key, ...available(7) });
  const fields = { status: 412, petId: '7', code: 'precondition_failed', precondition: 'failed' };
  expect(log).toEqual([
    requestLine(
      'updateInventory',
      { ...fields, ifMatch: tag.slice(0, 100) },
      { PreconditionFailed: 1 },
    ),
  ]);
});

test.each([
  { what: 'no status', attributes: { quantity: { N: '7' } } },
  { what: 'an unknown status', attributes: { ...available(7), status: { S: 'lost' } } },
  { what: 'a quantity that is a text', attributes: { ...available(7), quantity: { S: '7' } } },
  { what: 'a negative quantity', attributes: available(-7) },
])('a stored item with $what has no ETag, and matches none', async ({ attributes }) => {
  await put(attributes);
  const response = errorResult(
    412,
    'precondition_failed',
    `The entry is not as If-Match says, and its stored values have no ETag.`,
  );
  expect(await patch(4, ifMatch('"7-available"'))).toEqual(response);
  expect(await stored()).toEqual({ ...Key, ...attributes });
});

test.each(['"7-available"', '"never"', '*'])(
  'a missing item is a 404, whatever If-Match says: %s',
  async (tag) => {
    const { statusCode, body } = await patch(4, ifMatch(tag), '404');
    expect([statusCode, JSON.parse(body).code]).toEqual([404, 'pet_not_found']);
    expect(log).toMatchObject([{ code: 'pet_not_found', ifMatch: tag }]);
    expect(log[0]).not.toHaveProperty('precondition');
  },
);

const notOneTag = (quoted: string) =>
  `If-Match must be one ETag, such as "7-available", or *, not ${quoted}.`;
const notSupported =
  'If-None-Match is not supported. Send If-Match with one ETag, such as "7-available".';

test.each([
  { headers: ifMatch('7-available'), message: notOneTag('"7-available"') },
  { headers: ifMatch(''), message: notOneTag('""') },
  {
    headers: ifMatch('"7-sold", "8-sold"'),
    message: notOneTag(String.raw`"\"7-sold\", \"8-sold\""`),
  },
  {
    headers: ifMatch('"7-sold"', '"7-sold"'),
    message: notOneTag(String.raw`"\"7-sold\", \"7-sold\""`),
  },
  { headers: ifMatch('*', '"7-sold"'), message: notOneTag(String.raw`"*, \"7-sold\""`) },
  { headers: ifMatch('w/"7-sold"'), message: notOneTag(String.raw`"w/\"7-sold\""`) },
  { headers: ifMatch('"7 sold"'), message: notOneTag(String.raw`"\"7 sold\""`) },
  { headers: ifMatch('"7-sold'), message: notOneTag(String.raw`"\"7-sold"`) },
  { headers: { 'if-none-match': ['*'] }, message: notSupported },
  { headers: { ...ifMatch('"7-available"'), 'If-None-Match': [''] }, message: notSupported },
])('an update with $headers is rejected', async ({ headers, message }) => {
  await put(available(7));
  expect(await patch(4, headers)).toEqual(errorResult(400, 'invalid_if_match', message));
  expect(await stored()).toEqual({ ...Key, ...available(7) });
});

test('conditions on dates are ignored', async () => {
  await put(available(7));
  const never = ['Thu, 01 Jan 1970 00:00:00 GMT'];
  const headers = { 'If-Unmodified-Since': never, 'If-Modified-Since': never };
  expect((await patch(4, headers)).statusCode).toBe(200);
});

test('a retry after a lost response cannot tell a client that nothing was applied', async () => {
  await put(available(7));
  reactions.push(async ({ forward, response }) => {
    await forward();
    response.destroy();
    return 'written';
  });
  expect(await patch(4, ifMatch('"7-available"'))).toEqual(outcomeUnknown);
  expect(await stored()).toEqual({ ...Key, ...available(4) });
  const error = { errorType: 'ApiError', cause: { errorType: 'TransientError' } };
  expect(log).toMatchObject([{ level: 'ERROR', status: 503, petId: '7', ...error, Faults: 1 }]);
  expect(log[0]).not.toHaveProperty('precondition');
});

test('an error that no retry can fix stays a 500, whatever happened before', async () => {
  await put(available(7));
  const deny = { __type: 'a#AccessDeniedException', message: 'no' };
  reactions.push(
    async () => undefined,
    async () => ({ status: 400, body: deny }),
  );
  expect(await patch(4, ifMatch('"7-available"'))).toEqual(internalError);
});

test('an attempt that is applied late can overwrite a stock that is again what its tag says', async () => {
  await put(available(7));
  let applyLate: Passing['forward'] | undefined;
  const lost = async ({ response }: Passing): Promise<Reaction> => {
    response.destroy();
    return 'written';
  };
  const held = async (call: Passing): Promise<Reaction> => {
    applyLate = call.forward;
    return lost(call);
  };
  reactions.push(held, lost, lost);
  expect(await patch(3, ifMatch('"7-available"'))).toEqual(outcomeUnknown);
  expect((await patch(5, ifMatch('"7-available"'))).statusCode).toBe(200);
  expect((await patch(7, ifMatch('"5-available"'))).statusCode).toBe(200);
  await applyLate?.();
  expect(await stored()).toEqual({ ...Key, ...available(3) });
});
