import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { captureLog, requestLine } from '../support/capture-log.ts';
import { contextWith, errorResult, eventOf, patchEvent, setEnvironment } from '../support/functions.ts';
import * as rejections from '../support/rejections.ts';

// Nobody listens there: what gets through is no 4xx.
setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9', INVENTORY_TABLE_NAME: 'inventory' });
const { handler } = await import('../../functions/update-inventory.ts');
const log = captureLog();

const body = '{"quantity":7}';
const withHeaders = (headers: Record<string, string[]>, text = body) => eventOf({ petId: '1', body: text, headers });
const withType = (type?: string, text = body) =>
  withHeaders(type === undefined ? {} : { 'Content-Type': [type] }, text);
const withBody = (text: string | null) => patchEvent('1', text);

/** As long as a body may be, and as deep. */
const deep = `${'['.repeat(2_048)}${']'.repeat(2_048)}`;

type Row = [rejection: rejections.Rejection, event: APIGatewayProxyEvent];

test.each<Row>([
  ...rejections.wrongPetIds.map(([petId, rejection]): Row => [rejection, patchEvent(petId, body)]),
  ...rejections.wrongTypes.map(([type, rejection]): Row => [rejection, withType(type)]),
  ...rejections.wrongBodies.map(([text = null, rejection]): Row => [rejection, withBody(text)]),
  [rejections.notPetId('"%zz"'), patchEvent('%zz', body)],
  [rejections.notPetId('"1\\n"'), patchEvent('1\n', body)],
  [rejections.notPetId('""'), { ...withBody(body), pathParameters: null }],
  [rejections.notJsonType('and is missing'), { ...withBody(body), multiValueHeaders: null as never }],
  [
    rejections.notJsonType('not "a, b, c"'),
    withHeaders({ 'Content-Type': ['a', 'b'], 'CONTENT-TYPE': ['c'], Accept: ['d'] }),
  ],
  [rejections.noQuantity, withHeaders({ 'content-TYPE': ['Application/JSON; charset=utf-8'] }, '{}')],
  [rejections.noQuantity, withType('application/json\t;', '{}')],
  [rejections.tooLarge(4_097), withBody(`${deep} `)],
  [rejections.tooLarge(4_097), patchEvent('1', btoa(`${deep} `), true)],
  // Two bytes each, and before anything else is looked at.
  [rejections.tooLarge(4_098), eventOf({ petId: 'x', body: 'é'.repeat(2_049) })],
  [rejections.notObject('an array'), withBody(deep)],
  [rejections.notObject('an array'), patchEvent('1', btoa(deep), true)],
  [rejections.notJson, withBody('['.repeat(4_096))],
])('an update is rejected, and counts nothing: %j', async ([status, code, message], event) => {
  const response = (await handler(event, contextWith(10_000))) as APIGatewayProxyResult;
  expect(response).toEqual(errorResult(status, code, message));
  expect(log).toEqual([requestLine('updateInventory', { status, code })]);
});
