import { beforeEach, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type OperationId, operations } from '../../infra/service/operations.ts';
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
import * as rejections from '../support/http/rejections.ts';

const dynamodb = await startDynamodb();
const { handler: update } = await import('../../functions/update-inventory.ts');
const { handler: list } = await import('../../functions/list-inventory.ts');
const log = captureLog();

const updateWith = (event: APIGatewayProxyEvent) => update(event, contextWith(10_000));

beforeEach(() => {
  // A request that reaches DynamoDB has not been rejected, and fails.
  dynamodb.script(({ response }) => response.writeHead(400).end('{}'));
});

const withHeaders = (multiValueHeaders: Record<string, string[]> | null) => ({ multiValueHeaders });
const base64 = (text: string) => ({ body: btoa(text), isBase64Encoded: true });

/** A body of the greatest length, nested as deeply as that allows. */
const deep = `${'['.repeat(2_048)}${']'.repeat(2_048)}`;

interface Row {
  rejection: rejections.Rejection;
  update?: rejections.Update;
  /** Parts of an event that an Update cannot express. */
  parts?: Partial<Record<keyof APIGatewayProxyEvent, unknown>>;
}

const rows: Row[] = [
  ...rejections.rejectedUpdates,
  { rejection: rejections.notPetId('"%zz"'), update: { petId: '%zz' } },
  { rejection: rejections.notPetId('"1\\n"'), update: { petId: '1\n' } },
  { rejection: rejections.notPetId(String.raw`"\u200b1"`), update: { petId: '\u200b1' } },
  { rejection: rejections.notPetId(String.raw`"1\u00a0000"`), update: { petId: '1%C2%A0000' } },
  {
    rejection: rejections.notJsonType(String.raw`not "\u2060json"`),
    update: { type: '\u2060json' },
  },
  {
    rejection: rejections.otherKey(String.raw`"\u00adquantity"`),
    update: { body: '{"\u00adquantity":7}' },
  },
  // Only at the beginning of a body is it a byte order mark.
  {
    rejection: rejections.otherKey(String.raw`"\ufeffquantity"`),
    update: { body: '{"\ufeffquantity":7}' },
  },
  { rejection: rejections.notPetId('""'), parts: { pathParameters: null } },
  { rejection: rejections.notJsonType('and is missing'), parts: withHeaders(null) },
  {
    rejection: rejections.notJsonType('not "a, b"'),
    parts: withHeaders({ 'Content-Type': ['a'], 'CONTENT-TYPE': ['b'] }),
  },
  {
    rejection: rejections.notJsonType('not "a, b"'),
    parts: withHeaders({ 'Content-Type': ['a', 'b'], Accept: ['c'] }),
  },
  {
    rejection: rejections.noQuantity,
    update: { body: '{}' },
    parts: withHeaders({ 'content-TYPE': ['Application/JSON; charset=utf-8'] }),
  },
  {
    rejection: rejections.noQuantity,
    update: { body: '{}', type: 'application/json\t;' },
  },
  { rejection: rejections.tooLarge(4_097), update: { body: `${deep} ` } },
  { rejection: rejections.tooLarge(4_097), parts: base64(`${deep} `) },
  // Each é takes two bytes. The size is checked before everything else.
  {
    rejection: rejections.tooLarge(4_098),
    update: { body: 'é'.repeat(2_049), petId: 'x', type: undefined },
  },
  { rejection: rejections.notObject('an array'), update: { body: deep } },
  { rejection: rejections.notObject('an array'), parts: base64(deep) },
  { rejection: rejections.notJson, update: { body: '['.repeat(4_096) } },
];

test.each(rows)(
  'an update is rejected and counted in no metric: $rejection',
  async ({ rejection: [status, code, message], update, parts }) => {
    const { petId, type, body } = {
      petId: '1',
      type: 'application/json',
      body: '{"quantity":7}',
      ...update,
    };
    const headers: Record<string, string[]> = type === undefined ? {} : { 'Content-Type': [type] };
    const event = {
      ...eventOf({ petId, headers, body: body ?? null }),
      ...parts,
    } as APIGatewayProxyEvent;
    expect(await updateWith(event)).toStrictEqual(errorResult(status, code, message));
    expect(dynamodb.received).toStrictEqual([]);
    expect(log).toStrictEqual([requestLine('updateInventory', { status, code })]);
  },
);

const notOneTag = (given: string) =>
  `If-Match must be one ETag, such as "7-available", or *, ${given}.`;
const notSupported =
  'If-None-Match is not supported. Send If-Match with one ETag, such as "7-available".';

const secret = `petstore_prod_${'0'.repeat(48)}`;

test.each<{ headers: Record<string, string[]>; message: string; logged: object }>([
  {
    headers: { 'If-Match': ['7-available'] },
    message: notOneTag('not 7-available'),
    logged: { ifMatchLength: 11 },
  },
  {
    headers: { 'If-Match': [''] },
    message: notOneTag('and is empty'),
    logged: { ifMatchLength: 0 },
  },
  {
    headers: { 'If-Match': ['"7-sold"'], 'if-match': ['*'] },
    message: notOneTag('not "7-sold", *'),
    logged: { ifMatchLength: 11 },
  },
  {
    headers: { 'If-Match': ['w/"7-sold"'] },
    message: notOneTag('not w/"7-sold"'),
    logged: { ifMatchLength: 10 },
  },
  {
    headers: { 'If-Match': ['"7 sold"'] },
    message: notOneTag('not "7 sold"'),
    logged: { ifMatchLength: 8 },
  },
  {
    headers: { 'If-Match': ['"7-sold\u200b'] },
    message: notOneTag(String.raw`not "7-sold\u200b`),
    logged: { ifMatchLength: 8 },
  },
  {
    headers: { 'If-Match': [secret] },
    message: notOneTag(`not ${secret.slice(0, 24)}…`),
    logged: { ifMatchLength: 62 },
  },
  { headers: { 'if-none-match': ['*'] }, message: notSupported, logged: {} },
  {
    headers: { 'If-Match': ['"7-sold"'], 'If-None-Match': [''] },
    message: notSupported,
    logged: { ifMatch: '"7-sold"' },
  },
])('an update with $headers is rejected', async ({ headers, message, logged }) => {
  const response = await updateWith(patchEvent('1', '{"quantity":7}', headers));
  expect(response).toStrictEqual(errorResult(400, 'invalid_if_match', message));
  expect(dynamodb.received).toStrictEqual([]);
  const fields = { status: 400, code: 'invalid_if_match', petId: '1', ...logged };
  expect(log).toStrictEqual([requestLine('updateInventory', fields)]);
});

/** Calls an operation with what the authorizer says of the key, and nothing else. */
const callWith = async (operationId: string, authorizer: object, headers = {}) => {
  const event = eventOf({ headers });
  Object.assign(event.requestContext, { authorizer: { keyId: 'key-1', ...authorizer } });
  if (operationId === 'updateInventory') {
    return updateWith(event);
  }
  const { response, ended } = stream(list, event, 300_000);
  await ended;
  return { ...response.metadata, body: response.text };
};

test.each(operations)('$operationId refuses a request with two keys', async ({ operationId }) => {
  for (const headers of [
    { Authorization: ['Bearer one', 'Bearer two'] },
    { Authorization: ['Bearer one'], authorization: ['Bearer two'] },
  ]) {
    // Even if the key that the authorizer has checked may only read.
    const response = await callWith(operationId, { access: 'read' }, headers);
    const message = 'The request must have one Authorization header.';
    expect(response).toStrictEqual(errorResult(400, 'bad_request', message));
  }
  expect(dynamodb.received).toStrictEqual([]);
  const refused = requestLine(operationId, { status: 400, code: 'bad_request' });
  expect(log).toStrictEqual([refused, refused]);
});

/** What an allowed request comes to: the update lacks its body, and DynamoDB rejects the list. */
const ifAllowed: Record<OperationId, object> = {
  updateInventory: errorResult(...rejections.notJsonType('and is missing')),
  listInventory: internalError,
};
const oneKey = { Authorization: ['Bearer one'] };

test.each(operations)('$operationId allows a key with the access $access', async (operation) => {
  const { access, operationId } = operation;
  // Version 1.0.0 of the authorizer tells of no access, and allows only keys that may write.
  for (const allowed of [{ access }, { access: 'write' }, {}]) {
    const response = await callWith(operationId, allowed, oneKey);
    expect(response).toStrictEqual(ifAllowed[operationId]);
  }
});

const writing = operations.filter(({ access }) => access === 'write');

test.each(
  writing.flatMap(({ operationId }) =>
    ['read', 'admin', '', 'Write'].map((access) => ({ operationId, access })),
  ),
)(
  '$operationId refuses a key with the access "$access" before it looks at the request',
  async ({ operationId, access }) => {
    const refused = errorResult(403, 'read_only_key', 'This API key may only read.');
    expect(await callWith(operationId, { access }, oneKey)).toStrictEqual(refused);
    expect(dynamodb.received).toStrictEqual([]);
    expect(log).toStrictEqual([requestLine(operationId, { status: 403, code: 'read_only_key' })]);
  },
);
