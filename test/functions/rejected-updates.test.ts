import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { captureLog, requestLine } from '../support/functions/capture-log.ts';
import {
  contextWith,
  errorResult,
  eventOf,
  setEnvironment,
} from '../support/functions/functions.ts';
import * as rejections from '../support/http/rejections.ts';

// Nothing listens there, so an update that is not rejected cannot become a 4xx.
setEnvironment({
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
  INVENTORY_TABLE_NAME: 'inventory',
});
const { handler } = await import('../../functions/update-inventory.ts');
const log = captureLog();

const withHeaders = (multiValueHeaders: Record<string, string[]> | null) => ({ multiValueHeaders });
const base64 = (text: string) => ({ body: btoa(text), isBase64Encoded: true });

/** A body of the greatest length, nested as deeply as that allows. */
const deep = `${'['.repeat(2_048)}${']'.repeat(2_048)}`;

/** Parts of an event that an Update cannot express. */
type Parts = Partial<Record<keyof APIGatewayProxyEvent, unknown>>;

test.each<[rejections.Rejection, rejections.Update, Parts?]>([
  ...rejections.rejectedUpdates,
  [rejections.notPetId('"%zz"'), { petId: '%zz' }],
  [rejections.notPetId('"1\\n"'), { petId: '1\n' }],
  [rejections.notPetId('""'), {}, { pathParameters: null }],
  [rejections.notJsonType('and is missing'), {}, withHeaders(null)],
  [
    rejections.notJsonType('not "a, b"'),
    {},
    withHeaders({ 'Content-Type': ['a'], 'CONTENT-TYPE': ['b'] }),
  ],
  [
    rejections.notJsonType('not "a, b"'),
    {},
    withHeaders({ 'Content-Type': ['a', 'b'], Accept: ['c'] }),
  ],
  [
    rejections.noQuantity,
    { body: '{}' },
    withHeaders({ 'content-TYPE': ['Application/JSON; charset=utf-8'] }),
  ],
  [rejections.noQuantity, { body: '{}', type: 'application/json\t;' }],
  [rejections.tooLarge(4_097), { body: `${deep} ` }],
  [rejections.tooLarge(4_097), {}, base64(`${deep} `)],
  // Each é takes two bytes. The size is checked before everything else.
  [rejections.tooLarge(4_098), { body: 'é'.repeat(2_049), petId: 'x', type: undefined }],
  [rejections.notObject('an array'), { body: deep }],
  [rejections.notObject('an array'), {}, base64(deep)],
  [rejections.notJson, { body: '['.repeat(4_096) }],
])(
  'an update is rejected and counted in no metric: %j',
  async ([status, code, message], update, parts = {}) => {
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
    const response = (await handler(event, contextWith(10_000))) as APIGatewayProxyResult;
    expect(response).toEqual(errorResult(status, code, message));
    expect(log).toEqual([requestLine('updateInventory', { status, code })]);
  },
);
