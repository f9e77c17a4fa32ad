import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pMap from 'p-map';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { errorResponse, serviceAt, unauthorized } from '../../support/http/http-client.ts';
import { faultyRun } from '../faults/faulty-run.ts';
import { responsesTo } from './raw.ts';

/** The path of the inventory, and paths at which a careless server might serve it too. */
const paths = String.raw`
  /staging/v1/inventory /staging/v1//inventory /staging//v1/inventory //staging/v1/inventory /staging/v1/./inventory
  /staging/v1/../v1/inventory /staging/v1/x/../inventory /staging/v1/inventory/.. /staging/v1/inventory/../inventory
  /staging/v1/%2e%2e/v1/inventory /staging/v1%2finventory /staging/v1/inventory%2f /staging/v1/inventory/
  /staging/v1/inventory;a=b /staging/v1/inventory?Authorization=x /staging/v1/inventory%00 /STAGING/v1/inventory
  /staging/V1/inventory /staging\v1\inventory staging/v1/inventory http://localhost/staging/v1/inventory
  http://evil.example/staging/v1/inventory * / /../../../../etc/passwd /openapi.json/../staging/v1/inventory
  /_ah/../staging/v1/inventory
`
  .trim()
  .split(/\s+/);

/** Returns the key with a wrong last character. */
const wrongLast = (apiKey: string) => apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0');

/** Text from one entry. A response that contains this text reveals the inventory. */
const stock = '"quantity":9007199254740991';

const inventory = '/staging/v1/inventory';

const requestOf = (method: string, path: string, headers: string[], body = '') =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`;
const get = (path: string, ...headers: string[]) =>
  requestOf('GET', path, [...headers, 'Connection: close']);
const post = (headers: string[], body: string) => requestOf('POST', inventory, headers, body);

const run = await faultyRun();
const { body: entries } = await run.send({ path: '/inventory' });

describe('an unauthorized client', () => {
  // After each test, the inventory must be unchanged and the service still running.
  afterEach(async () => {
    const { status, body } = await run.send({ path: '/inventory' });
    expect({ status, body }).toEqual({ status: 200, body: entries });
    expect(run.process.exitCode).toBeNull();
  });

  /**
   * Returns how many reads of the table it takes to reject these keys. Sends updates, because lists
   * are throttled.
   */
  const readsOf = async (apiKeys: string[]) => {
    const before = run.count('GetItem');
    const patchWith = (apiKey: string) =>
      serviceAt(run.baseUrl, apiKey).patch(404404, '{"quantity":7}');
    const responses = await pMap(apiKeys, patchWith, { concurrency: 20 });
    expect(responses).toMatchObject(apiKeys.map(() => unauthorized));
    return run.count('GetItem') - before;
  };

  test('costs one read of the table per well-formed key, whose rejection is then cached, and none per malformed key', async () => {
    const unknown = Array.from({ length: 500 }, () => createApiKey('staging'));
    expect([await readsOf(unknown), await readsOf(unknown)]).toEqual([500, 0]);
    const malformed = (apiKey: string) => [
      wrongLast(apiKey),
      apiKey.toUpperCase(),
      apiKey.slice(1),
      `${apiKey}0`,
    ];
    expect(await readsOf(unknown.flatMap(malformed))).toBe(0);
  });

  /**
   * Returns the statuses of the responses to these bytes, and fails if one of them contains the
   * inventory.
   */
  const statusesOf = async (bytes: string) => {
    const { text, statuses } = await responsesTo(run.baseUrl, bytes);
    expect(text).not.toContain(stock);
    return statuses;
  };

  test.each(paths)('gets no inventory at %s', async (path) => {
    const [status = 0] = await statusesOf(get(path));
    // The API reference is public.
    expect(status === 200).toBe(path === '/');
    expect(status).toBeGreaterThan(0);
    expect(status).toBeLessThan(500);
  });

  test('gets nothing with any method at any path, and even a valid key gives access to the two operations only', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'v1',
        'inventory',
        '1',
        '',
        '.',
        '..',
        '%2e',
        '%2F',
        '%00',
        '%',
        'ping',
        '{petId}',
      ),
      fc.stringMatching(/^[\w~!$&'()*+,;=:@%.-]{0,8}$/),
    );
    const anyPath = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
    const methods = fc.constantFrom('GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD');
    const isServedRight = async (method: string, path: string, withKey: boolean) => {
      const { status } = await (withKey ? run.send : run.sendBare)({ method, path });
      // A PATCH without a body is a 400.
      expect([200, 400, 401, 404, 405]).toContain(status);
      expect(status === 200).toBe(withKey && method === 'GET' && /^\/inventory\/?$/.test(path));
    };
    await fc.assert(fc.asyncProperty(methods, anyPath, fc.boolean(), isServedRight), {
      numRuns: 200,
    });
  });

  test.each<[string, (apiKey: string) => string[]]>([
    ['without a scheme', (apiKey) => [`Authorization: ${apiKey}`]],
    ['on a folded line', (apiKey) => ['Authorization: Bearer', ` ${apiKey}`]],
    ['in another header', (apiKey) => [`X-Api-Key: ${apiKey}`]],
    [
      'after a wrong key',
      (apiKey) => [`Authorization: Bearer ${wrongLast(apiKey)}`, `Authorization: ${apiKey}`],
    ],
  ])('is rejected even with a valid key %s', async (_what, headers) => {
    const [status] = await statusesOf(get(inventory, ...headers(run.apiKey)));
    expect([400, 401]).toContain(status);
  });

  const chunked = 'Transfer-Encoding: chunked';
  const empty = 'Content-Length: 0';

  // The smuggled request has a valid key, so a response to it would be the list.
  test.each<[string, (smuggled: string) => string, number[]?]>([
    [
      'a Content-Length and chunks',
      (smuggled) => post(['Content-Length: 5', chunked], `0\r\n\r\n${smuggled}`),
    ],
    [
      'two Content-Lengths',
      (smuggled) => post([empty, `Content-Length: ${smuggled.length}`], smuggled),
    ],
    [
      'a folded header',
      (smuggled) => post(['Transfer-Encoding:', ' chunked', empty], `0\r\n\r\n${smuggled}`),
    ],
    ['a bare line feed', (smuggled) => post([`X: y\n${empty}`], smuggled)],
    ['a chunk extension', (smuggled) => post([chunked], `0;\n\r\n\r\n${smuggled}`)],
    ['HTTP/0.9', () => `GET ${inventory}\r\n\r\n`, [401]],
  ])('cannot smuggle in a request with %s', async (_what, framed, statuses = [400]) => {
    const smuggled = get(inventory, `Authorization: Bearer ${run.apiKey}`);
    expect(await statusesOf(framed(smuggled))).toEqual(statuses);
  });

  test('gets nothing for a request that follows an authorized one on the same connection', async () => {
    const first = get(inventory, `Authorization: Bearer ${run.apiKey}`).replace(
      'close',
      'keep-alive',
    );
    const { text, statuses } = await responsesTo(run.baseUrl, first + get(inventory));
    expect(statuses).toEqual([200, 401]);
    expect(text.split(stock)).toHaveLength(2);
    expect(await statusesOf(post([], get(inventory)))).toEqual([405, 401]);
  });

  test('gets a 431 for headers of 10,240 bytes', async () => {
    expect(await statusesOf(get(inventory, `X: ${'x'.repeat(10_240)}`))).toEqual([431]);
  });

  test('gets a 413 for a body that is too large, even with a valid key', async () => {
    const tooLarge = await run.patch(1, `{"quantity":${' '.repeat(7 * 1024 * 1024)}7}`);
    expect(tooLarge).toMatchObject(
      errorResponse(413, 'request_too_large', 'The request is too large.'),
    );
  });
});
