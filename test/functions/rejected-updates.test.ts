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
    const response = (await handler(event, contextWith(10_000))) as APIGatewayProxyResult;
    expect(response).toEqual(errorResult(status, code, message));
    expect(log).toEqual([requestLine('updateInventory', { status, code })]);
  },
);
