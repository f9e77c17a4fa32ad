import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { contract, errorResponse } from '../../support/http-client.ts';
import { inParallel } from '../../support/in-parallel.ts';
import { type FaultyRun, faultyRun } from '../faults/faulty-run.ts';
import { sendBytes, statusesOf } from './raw.ts';

const badKeys = { malformed: 200, wellFormed: 100 };

/** Of one of the entries. */
const stock = '"quantity":9007199254740991';

const unauthorized = errorResponse(
  401,
  'unauthorized',
  'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".',
);

describe('whoever has no key', () => {
  let run: FaultyRun;
  let inventory: unknown;
  beforeAll(async () => {
    run = await faultyRun();
    const { text, body } = await run.send({ path: '/inventory' });
    expect(text).toContain(stock);
    inventory = body;
  });

  // Nobody got in, nothing changed, nothing crashed.
  afterEach(async () => {
    const { status, body } = await run.send({ path: '/inventory' });
    expect({ status, body }).toEqual({ status: 200, body: inventory });
    expect(run.process.exitCode).toBeNull();
  });

  const reads = () => run.proxy.calls.filter(({ operation }) => operation === 'GetItem').length;
  // An update, because the throttle of lists would reject some.
  const patchWith = (apiKey: string) =>
    run.sendBare({
      method: 'PATCH',
      path: '/inventory/404404',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: '{"quantity":7}',
    });
  const eachRejected = async (apiKeys: string[]) => {
    const responses = await inParallel(apiKeys, 20, async (apiKey) => contract(await patchWith(apiKey)));
    for (const response of responses) {
      expect(response).toEqual(unauthorized);
    }
  };
  const wrongLast = (apiKey: string) => apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0');

  test(`costs no read of the table with ${badKeys.malformed} malformed keys`, async () => {
    const before = reads();
    const typos = Array.from({ length: badKeys.malformed / 2 }, () => wrongLast(createApiKey('staging')));
    await eachRejected([...typos, ...typos.map((apiKey) => apiKey.toUpperCase())]);
    expect(reads() - before).toBe(0);
  });

  test(`costs one read each with ${badKeys.wellFormed} well-formed keys, however often they come after the first response`, async () => {
    const before = reads();
    const unknown = Array.from({ length: badKeys.wellFormed }, () => createApiKey('staging'));
    await eachRejected(unknown);
    expect(reads() - before).toBe(badKeys.wellFormed);
    await eachRejected(unknown);
    expect(reads() - before).toBe(badKeys.wellFormed);
  });

  const get = (path: string, ...headers: string[]) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.map((header) => `${header}\r\n`).join('')}Connection: close\r\n\r\n`;

  test.each([
    '/staging/v1/inventory',
    '/staging/v1//inventory',
    '/staging//v1/inventory',
    '//staging/v1/inventory',
    '/staging/v1/./inventory',
    '/staging/v1/../v1/inventory',
    '/staging/v1/x/../inventory',
    '/staging/v1/inventory/..',
    '/staging/v1/inventory/../inventory',
    '/staging/v1/%2e%2e/v1/inventory',
    '/staging/v1%2finventory',
    '/staging/v1/inventory%2f',
    '/staging/v1/inventory/',
    '/staging/v1/inventory;a=b',
    '/staging/v1/inventory?Authorization=x',
    '/staging/v1/inventory%00',
    '/staging\\v1\\inventory',
    '/STAGING/v1/inventory',
    '/staging/V1/inventory',
    'http://localhost/staging/v1/inventory',
    'http://evil.example/staging/v1/inventory',
    'staging/v1/inventory',
    '*',
    '/',
    '/../../../../etc/passwd',
    '/openapi.json/../staging/v1/inventory',
    '/_ah/../staging/v1/inventory',
  ])('gets no inventory at %s', async (path) => {
    const text = await sendBytes(run.baseUrl, get(path));
    expect(text).not.toContain(stock);
    const [status] = statusesOf(text);
    // The page about the API is for everyone.
    expect(status === 200 ? path : 'rejected').toBe(path === '/' ? '/' : 'rejected');
    expect(status).toBeLessThan(500);
  });

  test.each([
    ['no scheme', (apiKey: string) => [`Authorization: ${apiKey}`]],
    ['another scheme', (apiKey: string) => [`Authorization: Basic ${apiKey}`]],
    ['an empty token', () => ['Authorization: Bearer ']],
    ['more behind it', (apiKey: string) => [`Authorization: Bearer ${apiKey} x`]],
    ['more before it', (apiKey: string) => [`Authorization: Bearer x ${apiKey}`]],
    ['a comma', (apiKey: string) => [`Authorization: Bearer ${apiKey},${apiKey}`]],
    ['capitals', (apiKey: string) => [`Authorization: Bearer ${apiKey.toUpperCase()}`]],
    ['a byte of zero', (apiKey: string) => [`Authorization: Bearer ${apiKey}\0`]],
    ['a line of its own', (apiKey: string) => ['Authorization: Bearer', ` ${apiKey}`]],
    ['another header', (apiKey: string) => [`X-Api-Key: ${apiKey}`]],
    ['a cookie', (apiKey: string) => [`Cookie: Authorization=Bearer ${apiKey}`]],
    ['a space before the colon', (apiKey: string) => [`Authorization : Bearer ${apiKey}`]],
    ['a bad one first', (apiKey: string) => [`Authorization: Bearer ${wrongLast(apiKey)}`, `Authorization: ${apiKey}`]],
  ])('is not let in by a key with %s', async (_what, headers) => {
    const text = await sendBytes(run.baseUrl, get('/staging/v1/inventory', ...headers(run.apiKey)));
    expect(text).not.toContain(stock);
    expect([400, 401]).toContain(statusesOf(text)[0]);
  });

  const post = (headers: string[], body: string) =>
    `POST /staging/v1/inventory HTTP/1.1\r\nHost: localhost\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`;
  const chunked = 'Transfer-Encoding: chunked';
  const lineOfItsOwn = ['Transfer-Encoding:', ' chunked', 'Content-Length: 0'];

  // What is smuggled in has a key: it would get the list.
  test.each<[string, (smuggled: string) => string, number[]?]>([
    ['a length and chunks', (smuggled) => post(['Content-Length: 5', chunked], `0\r\n\r\n${smuggled}`)],
    ['chunks and a length', (smuggled) => post([chunked, 'Content-Length: 4'], `0\r\n\r\n${smuggled}`)],
    ['two lengths', (smuggled) => post(['Content-Length: 0', `Content-Length: ${smuggled.length}`], smuggled)],
    ['a list of lengths', (smuggled) => post([`Content-Length: 0, ${smuggled.length}`], smuggled)],
    ['a signed length', (smuggled) => post(['Content-Length: +0'], smuggled)],
    ['a negative length', (smuggled) => post(['Content-Length: -1'], smuggled)],
    ['a length in hex', (smuggled) => post(['Content-Length: 0x0'], smuggled)],
    ['a coding misspelt', (smuggled) => post(['Transfer-Encoding: xchunked', 'Content-Length: 0'], smuggled)],
    ['a coding in another line', (smuggled) => post(lineOfItsOwn, `0\r\n\r\n${smuggled}`)],
    ['a coding after a space', (smuggled) => post(['Transfer-Encoding : chunked', 'Content-Length: 0'], smuggled)],
    ['two codings', (smuggled) => post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${smuggled}`)],
    ['a header of bare line feeds', (smuggled) => post(['X: y\nContent-Length: 0'], smuggled)],
    ['a chunk that is too long', (smuggled) => post([chunked], `ffffffffffffffffff\r\n${smuggled}`)],
    ['a chunk with an extension', (smuggled) => post([chunked], `0;\n\r\n\r\n${smuggled}`)],
    ['HTTP/0.9', () => 'GET /staging/v1/inventory\r\n\r\n', [401]],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', () => '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'],
  ])('smuggles nothing in by %s', async (_what, framed, statuses = [400]) => {
    const text = await sendBytes(
      run.baseUrl,
      framed(get('/staging/v1/inventory', `Authorization: Bearer ${run.apiKey}`)),
    );
    expect(text).not.toContain(stock);
    expect(statusesOf(text)).toEqual(statuses);
  });

  test('gets nothing by coming after somebody who has one', async () => {
    const first = get('/staging/v1/inventory', `Authorization: Bearer ${run.apiKey}`).replace('close', 'keep-alive');
    const text = await sendBytes(run.baseUrl, first + get('/staging/v1/inventory'));
    expect(statusesOf(text)).toEqual([200, 401]);
    expect(text.split(stock)).toHaveLength(2);
    expect(statusesOf(await sendBytes(run.baseUrl, post([], get('/staging/v1/inventory'))))).toEqual([405, 401]);
  });

  test('gets 4xx for headers without end, and bodies over the limits', async () => {
    for (const length of [10_240, 100_000]) {
      const headers = await sendBytes(run.baseUrl, get('/staging/v1/inventory', `X: ${'x'.repeat(length)}`));
      expect(statusesOf(headers)).toEqual([431]);
    }
    const many = Array.from({ length: 5_000 }, (_, index) => `X-${index}: y`);
    expect(statusesOf(await sendBytes(run.baseUrl, get('/staging/v1/inventory', ...many)))).toEqual([431]);
    const path = `/staging/v1/inventory/${'1'.repeat(100_000)}`;
    expect(statusesOf(await sendBytes(run.baseUrl, get(path)))).toEqual([431]);

    const tooLarge = await run.send({
      method: 'PATCH',
      path: '/inventory/1',
      headers: { 'Content-Type': 'application/json' },
      body: `{"quantity":${' '.repeat(7 * 1024 * 1024)}7}`,
    });
    expect(contract(tooLarge)).toEqual(errorResponse(413, 'request_too_large', 'The request is too large.'));
  });

  test('keeps nobody waiting with 200 requests that do not end', async () => {
    const { port, hostname } = new URL(run.baseUrl);
    const sockets: Socket[] = [];
    for (let index = 0; index < 200; index++) {
      const socket = connect(Number(port), hostname).on('error', () => {});
      await once(socket, 'connect');
      socket.write(index % 2 ? 'GET /staging/v1/inv' : post(['Content-Length: 1000'], '{'));
      sockets.push(socket);
    }
    const dripping = setInterval(() => sockets.forEach((socket) => void socket.write('x')), 100);
    const waited: number[] = [];
    const responses = await inParallel(Array.from({ length: 50 }), 5, async () => {
      const began = performance.now();
      const response = await run.send({ path: '/inventory' });
      waited.push(performance.now() - began);
      return response;
    });
    clearInterval(dripping);
    for (const socket of sockets) {
      socket.destroy();
    }
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    // A slow client is waited for far longer.
    expect(waited.sort((a, b) => a - b)[25]).toBeLessThan(2_000);
  });
});
