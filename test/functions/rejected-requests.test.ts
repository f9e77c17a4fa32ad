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

/** An update that is rejected, as a client sends it, or as parts of its event. */
interface Row {
  rejection: rejections.Rejection;
  update?: rejections.Update;
  parts?: Partial<Record<keyof APIGatewayProxyEvent, unknown>>;
}

const { notPetId, notJsonType, otherKey, notObject, noQuantity, tooLarge } = rejections;
const withHeaders = (multiValueHeaders: Record<string, string[]> | null) => ({ multiValueHeaders });
const base64 = (text: string) => ({ body: btoa(text), isBase64Encoded: true });
const twoTypes = { 'Content-Type': ['a'], 'CONTENT-TYPE': ['b'] };
const otherSpelling = { 'content-TYPE': ['Application/JSON; charset=utf-8'] };

/** A body of the greatest length, nested as deeply as that allows. */
const deep = `${'['.repeat(2_048)}${']'.repeat(2_048)}`;
/** Each é takes two bytes. */
const twoBytesEach = 'é'.repeat(2_049);

const rows: Row[] = [
  ...rejections.rejectedUpdates,
  { rejection: notPetId('"%zz"'), update: { petId: '%zz' } },
  { rejection: notPetId('"1\\n"'), update: { petId: '1\n' } },
  { rejection: notPetId('""'), parts: { pathParameters: null } },
  { rejection: notPetId(String.raw`"\u200b1"`), update: { petId: '\u200b1' } },
  { rejection: notPetId(String.raw`"1\u00a0000"`), update: { petId: '1%C2%A0000' } },
  { rejection: otherKey(String.raw`"\u00adquantity"`), update: { body: '{"\u00adquantity":7}' } },
  // Only at the beginning of a body is it a byte order mark.
  { rejection: otherKey(String.raw`"\ufeffquantity"`), update: { body: '{"\ufeffquantity":7}' } },
  { rejection: notJsonType(String.raw`not "\u2060json"`), update: { type: '\u2060json' } },
  { rejection: notJsonType('and is missing'), parts: withHeaders(null) },
  { rejection: notJsonType('not "a, b"'), parts: withHeaders(twoTypes) },
  { rejection: notJsonType('not "a, b"'), parts: withHeaders({ 'Content-Type': ['a', 'b'] }) },
  { rejection: noQuantity, update: { body: '{}' }, parts: withHeaders(otherSpelling) },
  { rejection: noQuantity, update: { body: '{}', type: 'application/json\t;' } },
  { rejection: notObject('an array'), update: { body: deep } },
  { rejection: notObject('an array'), parts: base64(deep) },
  { rejection: tooLarge(4_097), update: { body: `${deep} ` } },
  { rejection: tooLarge(4_097), parts: base64(`${deep} `) },
  // The size is checked before everything else.
  { rejection: tooLarge(4_098), update: { body: twoBytesEach, petId: 'x', type: undefined } },
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

const secret = `petstore_prod_${'0'.repeat(48)}`;

test.each([
  [['7-available'], 'not 7-available'],
  [[''], 'and is empty'],
  [['"7-sold"', '*'], 'not "7-sold", *'],
  [['w/"7-sold"'], 'not w/"7-sold"'],
  [['"7 sold"'], 'not "7 sold"'],
  [['"7-sold\u200b'], String.raw`not "7-sold\u200b`],
  [[secret], `not ${secret.slice(0, 24)}…`],
])('an update with If-Match: %j is rejected, and that is not logged', async (values, given) => {
  const headers = { 'If-Match': values };
  const response = await updateWith(patchEvent('1', '{"quantity":7}', headers));
  const message = `If-Match must be one ETag, such as "7-available", or *, ${given}.`;
  expect(response).toStrictEqual(errorResult(400, 'invalid_if_match', message));
  expect(dynamodb.received).toStrictEqual([]);
  const fields = { petId: '1', ifMatchLength: values.join(', ').length };
  const line = { status: 400, code: 'invalid_if_match', ...fields };
  expect(log).toStrictEqual([requestLine('updateInventory', line)]);
});

test.each<Record<string, string[]>>([{}, { 'If-Match': ['"7-sold"'] }])(
  'an update with If-None-Match is rejected, with the headers %j',
  async (others) => {
    const event = patchEvent('1', '{"quantity":7}', { 'if-none-match': [''], ...others });
    const message =
      'If-None-Match is not supported. Send If-Match with one ETag, such as "7-available".';
    expect(await updateWith(event)).toStrictEqual(errorResult(400, 'invalid_if_match', message));
    expect(dynamodb.received).toStrictEqual([]);
  },
);

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
  updateInventory: errorResult(...notJsonType('and is missing')),
  listInventory: internalError,
};

test.each(operations)('$operationId allows a key with the access $access', async (operation) => {
  const { access, operationId } = operation;
  // Version 1.0.0 of the authorizer tells of no access, and allows only keys that may write.
  for (const allowed of [{ access }, { access: 'write' }, {}]) {
    const response = await callWith(operationId, allowed, { Authorization: ['Bearer one'] });
    expect(response).toStrictEqual(ifAllowed[operationId]);
  }
});

test.each(['read', 'admin', '', 'Write'])(
  'an update with a key of the access "%s" is refused before the rest of it is looked at',
  async (access) => {
    const refused = errorResult(403, 'read_only_key', 'This API key may only read.');
    expect(await callWith('updateInventory', { access })).toStrictEqual(refused);
    expect(dynamodb.received).toStrictEqual([]);
    const fields = { status: 403, code: 'read_only_key' };
    expect(log).toStrictEqual([requestLine('updateInventory', fields)]);
  },
);
