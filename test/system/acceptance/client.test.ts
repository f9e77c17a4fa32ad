import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { send } from '../../support/http/http-client.ts';
import { violations } from '../../support/http/openapi.ts';
import { serve } from '../../support/http/serve.ts';

const headers = {
  'content-type': 'application/json',
  'retry-after': '1',
  'x-amzn-requestid': 'an-id',
};
const tooManyRequests = {
  status: 429,
  headers,
  text: '{"code":"too_many_requests","message":"Too many requests.","status":429}',
};

test.each([
  { what: 'what it documents', change: {}, found: [] },
  {
    what: 'no undocumented status',
    change: { status: 409 },
    found: ['409 is no response to GET /v1/inventory'],
  },
  {
    what: 'no missing header',
    change: { headers: { ...headers, 'retry-after': undefined } },
    found: ["data/headers must have required property 'retry-after'"],
  },
  {
    what: 'no malformed header',
    change: { headers: { ...headers, 'retry-after': '0' } },
    found: ['data/headers/retry-after must match pattern "^[1-9][0-9]*$"'],
  },
  {
    what: 'no body of another status',
    change: { text: tooManyRequests.text.replace('429', '430') },
    found: ['data/body/status must be equal to constant'],
  },
])('openapi.yaml allows $what', ({ change, found }) => {
  const response = { ...tooManyRequests, ...change };
  expect(violations('GET', '/v1/inventory', response)).toStrictEqual(found);
});

test('the error for a long list with many mistakes is short', async () => {
  const list = `[${'1,'.repeat(50_000)}1]`;
  const url = await serve((_request, response) => response.writeHead(200, headers).end(list));
  const failure = await send(`${url}/v1`, { path: '/inventory' }).catch((error: Error) => error);
  expect((failure as Error).message.length).toBeLessThan(2_100);
});

test('of a list without an end, no more is read than was asked for, and the connection is closed', async () => {
  const entry = '{"petId":1,"quantity":1,"status":"sold"}';
  let closed: Promise<unknown> | undefined;
  const write = (response: ServerResponse): boolean =>
    response.write(`,${entry}`) && write(response);
  const url = await serve((_request, response) => {
    closed = once(response, 'close');
    response.writeHead(200, { ...headers, 'cache-control': 'no-store' }).write(`[${entry}`);
    response.on('drain', () => write(response));
    write(response);
  });
  const { body } = await send(`${url}/v1`, { path: '/inventory', mostCharacters: 1_000 });
  await closed;
  const item = { petId: 1n, quantity: 1n, status: 'sold' };
  expect((body as object[]).length).toBeGreaterThan(20);
  expect((body as object[])[0]).toStrictEqual(item);
});
