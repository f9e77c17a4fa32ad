import { beforeEach, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Operation, type OperationId, operations } from '../../infra/service/operations.ts';
import { startDynamodb } from '../support/dynamodb/dynamodb.ts';
import { captureLog, requestLine } from '../support/functions/capture-log.ts';
import {
  contextWith,
  errorResult,
  eventOf,
  internalError,
  patchEvent,
  stream,
} from '../support/functions/functions.ts';
import { notJsonType, rejectedUpdates, type Update } from '../support/http/rejections.ts';

const dynamodb = await startDynamodb();
const { handler: update } = await import('../../functions/update-inventory.ts');
const log = captureLog();

beforeEach(() => {
  // A request that reaches DynamoDB has not been rejected, and fails.
  dynamodb.script(({ response }) => response.writeHead(400).end('{}'));
});

/** Sends an update of pet 1 that is valid but for these parts of its event. */
const updateWith = (parts: Update) =>
  update(
    { ...patchEvent('1', '{"quantity":7}'), ...parts } as APIGatewayProxyEvent,
    contextWith(10_000),
  );

test.each(rejectedUpdates)(
  'an update is rejected and counted in no metric: $rejection',
  async ({ update: parts, rejection: [status, code, message] }) => {
    expect(await updateWith(parts)).toStrictEqual(errorResult(status, code, message));
    expect(dynamodb.received).toStrictEqual([]);
    expect(log).toStrictEqual([requestLine('updateInventory', { status, code })]);
  },
);

const json = { 'Content-Type': ['application/json'] };
const secret = `petstore_prod_${'0'.repeat(48)}`;

test.each([
  [['7-available'], 'not 7-available'],
  [[''], 'but is empty'],
  [['"7-sold"', '*'], 'not "7-sold", *'],
  [['w/"7-sold"'], 'not w/"7-sold"'],
  [['"7 sold"'], 'not "7 sold"'],
  [['"7-sold\u200b'], String.raw`not "7-sold\u200b`],
  [[secret], `not ${secret.slice(0, 24)}…`],
])('an update with If-Match: %j is rejected, and that is not logged', async (values, given) => {
  const message = `If-Match must be * or one ETag, such as "7-available", ${given}.`;
  const response = await updateWith({ multiValueHeaders: { ...json, 'If-Match': values } });
  expect(response).toStrictEqual(errorResult(400, 'invalid_if_match', message));
  expect(dynamodb.received).toStrictEqual([]);
  const ifMatchLength = values.join(', ').length;
  const fields = { status: 400, code: 'invalid_if_match', petId: '1', ifMatchLength };
  expect(log).toStrictEqual([requestLine('updateInventory', fields)]);
});

test('an update with If-None-Match is rejected, whatever else it has', async () => {
  const multiValueHeaders = { ...json, 'if-none-match': [''], 'If-Match': ['"7-sold"'] };
  const message =
    'If-None-Match is not supported. Send If-Match with one ETag, such as "7-available".';
  const rejected = errorResult(400, 'invalid_if_match', message);
  expect(await updateWith({ multiValueHeaders })).toStrictEqual(rejected);
  expect(dynamodb.received).toStrictEqual([]);
});

// Whoever mends what the response names, and sends the update again, gets on.
test('of several faults of an update, the response names one, always in the same order', async () => {
  const headers = { 'If-Match': ['7'], 'Idempotency-Key': ['two keys'] };
  const mended: [part: Update, code: string][] = [
    [{ pathParameters: { petId: 'x' }, multiValueHeaders: headers }, 'unsupported_content_type'],
    [{ body: '[7', multiValueHeaders: { ...json, ...headers } }, 'invalid_body'],
    [{ body: '[7]' }, 'invalid_pet_id'],
    [{ pathParameters: { petId: '1' } }, 'invalid_body'],
    [{ body: '{"quantity":-7}' }, 'invalid_quantity'],
    [{ body: '{"quantity":7}' }, 'invalid_if_match'],
    [{ multiValueHeaders: { ...json, ...headers, 'If-Match': ['*'] } }, 'invalid_idempotency_key'],
  ];
  const codes: string[] = [];
  let parts: Update = {};
  for (const [part] of mended) {
    parts = { ...parts, ...part };
    codes.push(JSON.parse((await updateWith(parts)).body).code);
  }
  expect(codes).toStrictEqual(mended.map(([, code]) => code));
  expect(dynamodb.received).toStrictEqual([]);
});

/** Calls an operation with what the authorizer says of the key, and nothing else. */
const callWith = async (
  { entryPoint, streams }: Operation,
  authorizer: object,
  headers: Record<string, string[]> = {},
) => {
  const { handler } = await import(`../../functions/${entryPoint}.ts`);
  const event = eventOf({ headers });
  Object.assign(event.requestContext, { authorizer: { keyId: 'key-1', ...authorizer } });
  if (!streams) {
    return handler(event, contextWith(10_000));
  }
  const { response, ended } = stream(handler, event, 300_000);
  await ended;
  return { ...response.metadata, body: response.text };
};

test.each(operations)('$operationId refuses a request with two keys', async (operation) => {
  const { operationId } = operation;
  // Even if the key that the authorizer has checked may only read.
  const ofSpellings = { Authorization: ['Bearer one'], authorization: ['Bearer two'] };
  const response = await callWith(operation, { access: 'read' }, ofSpellings);
  const message = 'The request must have exactly one Authorization header.';
  expect(response).toStrictEqual(errorResult(400, 'bad_request', message));
  expect(dynamodb.received).toStrictEqual([]);
  const refused = requestLine(operationId, { status: 400, code: 'bad_request' });
  expect(log).toStrictEqual([refused]);
});

/** What comes of an allowed request without a petId or a body, whose calls DynamoDB rejects. */
const ifAllowed: Record<OperationId, object> = {
  updateInventory: errorResult(...notJsonType('but is missing')),
  listInventory: internalError,
};

test.each(operations)('$operationId allows a key with the access $access', async (operation) => {
  const { access, operationId } = operation;
  for (const allowed of [{ access }, { access: 'write' }]) {
    const response = await callWith(operation, allowed, { Authorization: ['Bearer one'] });
    expect(response).toStrictEqual(ifAllowed[operationId]);
  }
});

const writes: Operation[] = operations.filter(({ access }) => access === 'write');
const notToWrite = ['read', 'admin', '', 'Write', undefined];

test.each(writes.flatMap((operation) => notToWrite.map((access) => ({ operation, access }))))(
  '$operation.operationId refuses a key of the access $access before it looks at the rest',
  async ({ operation, access }) => {
    const refused = errorResult(403, 'read_only_key', 'This API key is read-only.');
    expect(await callWith(operation, { access })).toStrictEqual(refused);
    expect(dynamodb.received).toStrictEqual([]);
    const fields = { status: 403, code: 'read_only_key' };
    expect(log).toStrictEqual([requestLine(operation.operationId, fields)]);
  },
);
