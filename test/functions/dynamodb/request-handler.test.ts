import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { HttpResponse } from '@smithy/types';
import { requestHandler } from '../../../functions/dynamodb/request-handler.ts';
import { listen } from '../../../local/shared/local-server.ts';
import { respond, startDynamodb } from '../../support/dynamodb/dynamodb.ts';
import { atEnd } from '../../support/process/at-end.ts';

const dynamodb = await startDynamodb();
const { endpoint } = dynamodb;

const send = async (
  url = endpoint,
  timeout = 2_000,
  handler = requestHandler(new URL(url), timeout),
) => {
  const request = {
    port: Number(new URL(url).port),
    path: '/',
    method: 'POST',
    headers: {},
    body: '{}',
  };
  return (await handler.handle(request as never)).response as HttpResponse;
};

/** Returns a handler and the connection that it opens before any request. */
const connecting = (url = endpoint) => {
  const connect = jest.spyOn(http.Agent.prototype, 'createConnection');
  const handler = requestHandler(new URL(url), 2_000);
  return { handler, connection: connect.mock.results[0]?.value as Socket };
};

afterEach(() => void jest.restoreAllMocks());

test('hides the headers that say when to retry', async () => {
  dynamodb.script(respond(503, 'x', { 'retry-after': '5', 'x-amz-retry-after': '5000' }));
  const { statusCode, reason, headers, body } = await send();
  expect([statusCode, reason, await text(body)]).toEqual([503, 'Service Unavailable', 'x']);
  const names = ['connection', 'date', 'keep-alive', 'transfer-encoding', 'x-amz-crc32'];
  expect(Object.keys(headers).sort()).toEqual(names);
});

test('fails if a response falls silent after it has begun', async () => {
  dynamodb.script(({ response }) =>
    response.writeHead(200, { 'content-length': 1000 }).write('{"Attr'),
  );
  await expect(text((await send(endpoint, 300)).body)).rejects.toThrow('aborted');
});

test('does not fail because a response takes long', async () => {
  dynamodb.script(async ({ response }) => {
    for (const part of ['a', 'b', 'c']) {
      response.write(part);
      await sleep(800);
    }
    response.end();
  });
  expect(await text((await send(endpoint, 2_000)).body)).toBe('abc');
});

test('waits no longer than its timeout for a TLS handshake', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const began = performance.now();
  const url = `https://localhost:${(silent.address() as AddressInfo).port}`;
  await expect(send(url, 1_000)).rejects.toThrow('silent for 1000 ms');
  expect(performance.now() - began).toBeLessThan(1_900);
  silent.close();
});

test('uses TLS if the endpoint does, and rejects an untrusted certificate', async () => {
  const pem = (name: string) =>
    readFileSync(fileURLToPath(import.meta.resolve(`dynalite/ssl/server-${name}.pem`)));
  const listener = jest.fn<http.RequestListener>((_request, response) => response.end('{}'));
  const secure = await listen(https.createServer({ key: pem('key'), cert: pem('crt') }, listener));
  atEnd(secure.close);
  const url = `https://${secure.address.replace('127.0.0.1', 'localhost')}`;
  const cause = { message: expect.stringMatching(/certificate/) };
  await expect(send(url)).rejects.toMatchObject({ name: 'TransientError', cause });
  expect(listener).not.toHaveBeenCalled();

  const { connect } = tls;
  const trusting = (options: object) => connect({ ...options, rejectUnauthorized: false });
  jest.spyOn(tls, 'connect').mockImplementation(trusting as never);
  expect(await text((await send(url)).body)).toBe('{}');
});

test.each([
  { url: 'http://h', module: http, options: { host: 'h', servername: 'h', port: 80 } },
  { url: 'https://h', module: https, options: { host: 'h', servername: 'h', port: 443 } },
  { url: 'http://[::1]:81', module: http, options: { host: '::1', servername: '::1', port: 81 } },
])('connects to $url before any request', ({ url, module: { Agent }, options }) => {
  const connect = jest
    .spyOn(Agent.prototype, 'createConnection')
    .mockReturnValue(undefined as never);
  requestHandler(new URL(url), 2_000);
  expect(connect.mock.calls).toEqual([[options]]);
});

test.each([
  { unusedFor: 0, used: true },
  { unusedFor: 3_500, used: true },
  { unusedFor: 4_500, used: false },
])(
  'uses its first connection if that was idle for at most 4 s: $unusedFor ms',
  async ({ unusedFor, used }) => {
    dynamodb.script(respond(200, '{}'));
    const { handler, connection } = connecting();
    await once(connection, 'connect');
    const { localPort: first } = connection;
    const closed = once(connection, 'close');
    expect(dynamodb.received).toEqual([]);

    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + unusedFor);
    await text((await send(endpoint, 2_000, handler)).body);
    await text((await send(endpoint, 2_000, handler)).body);
    const [one, two] = dynamodb.received.map(({ response }) => response.req.socket.remotePort);
    expect([one === first, two === one]).toEqual([used, true]);
    // A connection that is too old is closed at once.
    if (used) {
      handler.destroy?.();
    }
    await closed;
  },
);

test('starts even if nothing listens, and connects again for a request', async () => {
  const late = await startDynamodb();
  late.close();
  const { handler, connection } = connecting(late.endpoint);
  await new Promise((resolve) => connection.once('close', resolve));
  await late.reopen();
  late.script(respond(200, '{}'));
  expect((await send(late.endpoint, 2_000, handler)).statusCode).toBe(200);
});
