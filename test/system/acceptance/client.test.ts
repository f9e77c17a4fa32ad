import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { send } from '../../support/http/http-client.ts';
import { violations } from '../../support/http/openapi.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';

const tooManyRequests = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  text: '{"code":"too_many_requests","message":"Too many requests.","status":429}',
};

test('openapi.yaml allows what it documents', () => {
  expect(violations('GET', '/v1/inventory', tooManyRequests)).toStrictEqual([]);
});

test.each([
  {
    what: 'an undocumented status',
    change: { status: 409 },
    found: ['409 is no response to GET /v1/inventory'],
  },
  {
    what: 'a missing header',
    change: { headers: { 'content-type': 'application/json' } },
    found: ["data/headers must have required property 'retry-after'"],
  },
  {
    what: 'a malformed header',
    change: { headers: { ...tooManyRequests.headers, 'retry-after': '0' } },
    found: ['data/headers/retry-after must match pattern "^[1-9][0-9]*$"'],
  },
  {
    what: 'a body of another status',
    change: { text: tooManyRequests.text.replace('429', '430') },
    found: ['data/body/status must be equal to constant'],
  },
])('openapi.yaml does not allow $what', ({ change, found }) => {
  expect(violations('GET', '/v1/inventory', { ...tooManyRequests, ...change })).toStrictEqual(
    found,
  );
});

const answering = async (body: string) => {
  const headers = { 'Content-Type': 'application/json', 'X-Amzn-RequestId': 'id' };
  const url = await serve((_request, response) => response.writeHead(200, headers).end(body));
  return send(`${url}/v1`, { path: '/inventory' });
};

test('a response that holds an API key is an error, which does not', async () => {
  const apiKey = createApiKey('staging');
  await expect(answering(`["${apiKey}"]`)).rejects.toThrow(
    new Error(
      'GET /inventory responded 200 ["<API_KEY>"]\n' +
        'data/body/0 must be object\nIt holds an API key.',
    ),
  );
});

test('the error for a long list with many mistakes is short', async () => {
  const failure = await answering(`[${'1,'.repeat(50_000)}1]`).catch((error: Error) => error);
  expect((failure as Error).message.length).toBeLessThan(2_100);
});

test.each([
  { retries: 0, status: 429, requests: 1 },
  { retries: 1, status: 429, requests: 2 },
  { retries: 3, status: 200, requests: 3 },
])('with $retries retries, two 429s and a 200 are a $status', async (row) => {
  let requests = 0;
  const url = await serve((_request, response) => {
    requests += 1;
    if (requests > 2) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
    } else {
      response.writeHead(429, tooManyRequests.headers).end(tooManyRequests.text);
    }
  });
  const { status } = await send(`${url}/v1`, { path: '/inventory' }, row);
  expect({ status, requests }).toStrictEqual({ status: row.status, requests: row.requests });
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
