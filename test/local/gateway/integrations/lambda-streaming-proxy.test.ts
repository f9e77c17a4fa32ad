import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  internalServerError,
  invocationOf,
  proxyMethod,
  resource,
  serveFixture,
} from '../../../support/fixture-gateway.ts';
import { open, sendRaw } from '../../../support/http-client.ts';

/** What the function does, by the path below `/`. */
const ways = `{
  all: async (stream) => { stream.write('[1'); stream.write(',2'); stream.end(']'); },
  headers: async (stream) => { stream.write('[]'); stream.end(); },
  'early-error': async () => { throw new Error('early'); },
  'late-error': async (stream) => { stream.write('[1'); await pause(50); throw new Error('late'); },
  exit: async (stream) => { stream.write('[1'); await pause(50); process.exit(1); },
  slow: async (stream) => { stream.write('[1'); await pause(60000); },
  large: async (stream) => {
    for (let n = 0; n < 20; n++) {
      if (!stream.write('x'.repeat(1024 * 1024))) await new Promise((resolve) => stream.once('drain', resolve));
    }
    stream.end();
  },
}`;
const code = `
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const bare = async (stream) => { stream.write('[]'); stream.end(); };
  const ways = ${ways};
  const metadata = { statusCode: 201, headers: { 'X-Pid': process.pid, Server: 'mine' } };
  exports.handler = awslambda.streamifyResponse(({ path }, stream) =>
    path === '/bare' ? bare(stream) : ways[path.slice(1)](awslambda.HttpResponseStream.from(stream, metadata)));`;

const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
afterEach(() => void printed.mockClear());

describe('a streaming integration', () => {
  let url: string;
  beforeAll(async () => {
    const method = (id: string, TimeoutInMillis: number) => {
      const streaming = { Type: 'AWS_PROXY', Uri: invocationOf('Handler'), ResponseTransferMode: 'STREAM' };
      return proxyMethod({ Ref: id }, 'GET', { Integration: { ...streaming, TimeoutInMillis } });
    };
    url = await serveFixture(
      { Handler: { code, timeoutSeconds: 30 } },
      { Way: resource('{way}'), Slow: resource('slow'), A: method('Way', 30_000), B: method('Slow', 1_000) },
    );
  });

  test('has status and headers of the metadata, and its body as it comes', async () => {
    expect(await sendRaw(url, { path: '/all' })).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked', 'x-amzn-remapped-server': 'mine' },
      text: '[1,2]',
    });
  });

  test('without metadata, or with an error before it, is a 502', async () => {
    expect(await sendRaw(url, { path: '/early-error' })).toMatchObject(internalServerError);
    expect(await sendRaw(url, { path: '/bare' })).toMatchObject(internalServerError);
  });

  test.each([
    ['late-error', 'late'],
    ['exit', 'The function ended before its result.'],
    ['slow', 'it took too long.'],
  ])('is cut off when its function fails half-way: %s', async (way, reason) => {
    const response = await open(url, { path: `/${way}` });
    let read = '';
    response.setEncoding('utf8').on('data', (chunk) => (read += chunk));
    const [error] = await once(response, 'error');
    expect([response.statusCode, read, error.code]).toEqual([201, '[1', 'ECONNRESET']);
    for (let wait = 0; wait < 500 && printed.mock.calls.length === 0; wait++) {
      await setTimeout(10);
    }
    expect(printed.mock.calls).toEqual([[`The response was cut: ${reason}`]]);
  });

  test('has its instances back when clients leave before the response begins, or within it', async () => {
    const { port, hostname } = new URL(url);
    const leave = async (_: unknown, n: number) => {
      const socket = connect(Number(port), hostname);
      socket.write('GET /test/large HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await (n < 12 ? setTimeout(5) : once(socket, 'readable'));
      socket.destroy();
    };
    // The first twelve, more than there are instances, before it begins.
    await Promise.all(Array.from({ length: 14 }, leave));
    const texts = Array.from({ length: 10 }, async () => (await sendRaw(url, { path: '/all' })).text);
    expect(await Promise.all(texts)).toEqual(Array(10).fill('[1,2]'));
    // Clients that leave are no failure.
    expect(printed.mock.calls).toEqual([]);
  });
});
