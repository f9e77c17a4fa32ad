import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { HttpResponse } from '@smithy/types';
import { requestHandler } from '../../../functions/dynamodb/request-handler.ts';
import { half, respond, ScriptedDynamodb } from '../../support/scripted-dynamodb.ts';

const send = async (handler: ReturnType<typeof requestHandler>, endpoint: string): Promise<HttpResponse> => {
  const request = { port: Number(new URL(endpoint).port), path: '/', method: 'POST', headers: {}, body: '{}' };
  return (await handler.handle(request as never)).response as HttpResponse;
};

describe('the HTTP of the functions', () => {
  const dynamodb = new ScriptedDynamodb();
  let endpoint: string;
  beforeAll(async () => {
    endpoint = await dynamodb.listen();
  });
  afterAll(() => dynamodb.close());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('is told nothing of when to try again', async () => {
    dynamodb.script(respond(503, 'x', { 'retry-after': '5', 'x-amz-retry-after': '5000' }));
    const { statusCode, reason, headers, body } = await send(requestHandler(new URL(endpoint), 2_000), endpoint);
    expect([statusCode, reason, await text(body)]).toEqual([503, 'Service Unavailable', 'x']);
    expect(headers).toEqual({
      'x-amz-crc32': expect.any(String),
      date: expect.any(String),
      connection: expect.any(String),
      'keep-alive': expect.any(String),
      'transfer-encoding': 'chunked',
    });
  });

  test('says how long DynamoDB was silent', async () => {
    dynamodb.script(() => {});
    const cause = new Error('DynamoDB was silent for 50 ms.');
    await expect(send(requestHandler(new URL(endpoint), 50), endpoint)).rejects.toMatchObject({
      name: 'TransientError',
      message: `DynamoDB sent no response: ${cause.message}`,
      cause,
    });
  });

  test('says that a response was none', async () => {
    dynamodb.script((response) =>
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    );
    await expect(send(requestHandler(new URL(endpoint), 2_000), endpoint)).rejects.toMatchObject({
      name: 'TransientError',
      message: 'DynamoDB sent no response.',
    });
  });

  test('fails if a response that has begun falls silent, and not for its length', async () => {
    dynamodb.script(half);
    const { body } = await send(requestHandler(new URL(endpoint), 50), endpoint);
    await expect(text(body)).rejects.toThrow('aborted');

    dynamodb.script(async (response) => {
      for (const part of ['a', 'b', 'c', 'd']) {
        response.write(part);
        await sleep(100);
      }
      response.end();
    });
    expect(await text((await send(requestHandler(new URL(endpoint), 300), endpoint)).body)).toBe('abcd');
  });

  test('waits no longer for a handshake', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `https://localhost:${(silent.address() as AddressInfo).port}`;
    const began = performance.now();
    await expect(send(requestHandler(new URL(url), 500), url)).rejects.toThrow('silent for 500 ms');
    expect(performance.now() - began).toBeLessThan(900);
    silent.close();
  });

  test.each([
    ['http://h', http, { host: 'h', servername: 'h', port: 80 }],
    ['https://h', https, { host: 'h', servername: 'h', port: 443 }],
    ['http://[::1]:81', http, { host: '::1', servername: '::1', port: 81 }],
  ])('connects to %s before any request', (url, { Agent }, options) => {
    const connect = jest.spyOn(Agent.prototype, 'createConnection').mockReturnValue(undefined as never);
    requestHandler(new URL(url), 2_000);
    expect(connect.mock.calls).toEqual([[options]]);
  });

  test('closes its connection when it is destroyed, and one that is too old to be used', async () => {
    const connection = async () => {
      const connected = once(dynamodb.server, 'connection');
      const handler = requestHandler(new URL(endpoint), 2_000);
      const [socket]: Socket[] = await connected;
      return { handler, closed: once(socket as Socket, 'close') };
    };
    dynamodb.script(respond(200, '{}'));
    const used = await connection();
    await text((await send(used.handler, endpoint)).body);
    used.handler.destroy?.();
    await used.closed;

    const old = await connection();
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_000);
    await send(old.handler, endpoint);
    await old.closed;
  });
});
