import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { send } from '../../support/http/http-client.ts';
import { violations } from '../../support/http/openapi.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';

const tooManyRequests = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
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
    change: { headers: { 'content-type': 'application/json' } },
    found: ["data/headers must have required property 'retry-after'"],
  },
  {
    what: 'no malformed header',
    change: { headers: { ...tooManyRequests.headers, 'retry-after': '0' } },
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
  const headers = { 'Content-Type': 'application/json' };
  const list = `[${'1,'.repeat(50_000)}1]`;
  const url = await serve((_request, response) => response.writeHead(200, headers).end(list));
  const failure = await send(`${url}/v1`, { path: '/inventory' }).catch((error: Error) => error);
  expect((failure as Error).message.length).toBeLessThan(2_100);
});

test('after a 429, a request is sent again as often as it may', async () => {
  let requests = 0;
  const url = await serve((_request, response) => {
    requests += 1;
    response.writeHead(429, tooManyRequests.headers).end(tooManyRequests.text);
  });
  const { status } = await send(`${url}/v1`, { path: '/inventory' }, { retries: 1 });
  expect({ status, requests }).toStrictEqual({ status: 429, requests: 2 });
});

test('an https base URL is requested over TLS', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const failure = sendRaw(`https://127.0.0.1:${port}/prod/v1`, { path: '/' }).catch(() => 'closed');
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  server.close();
  // Every handshake of TLS begins with this byte.
  expect(bytes[0]).toBe(22);
  expect(await failure).toBe('closed');
});
