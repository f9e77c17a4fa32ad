import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pMap from 'p-map';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import {
  errorResponse,
  serviceAt,
  unauthorized,
} from '../../../ops/acceptance/suite/http-client.ts';
import { unthrottled } from '../../support/http/unthrottled.ts';
import { faultyRun } from '../faults/faulty-run.ts';

/** The path of the inventory, and paths at which a careless server might serve it too. */
const paths = String.raw`
  /staging/v1/inventory /staging/v1//inventory /staging//v1/inventory //staging/v1/inventory
  /staging/v1/./inventory /staging/v1/../v1/inventory /staging/v1/x/../inventory
  /staging/v1/inventory/.. /staging/v1/inventory/../inventory /staging/v1/%2e%2e/v1/inventory
  /staging/v1%2finventory /staging/v1/inventory%2f /staging/v1/inventory/
  /staging/v1/inventory;a=b /staging/v1/inventory?Authorization=x /staging/v1/inventory%00
  /STAGING/v1/inventory /staging/V1/inventory /staging\v1\inventory staging/v1/inventory
  http://localhost/staging/v1/inventory http://evil.example/staging/v1/inventory * /
  /../../../../etc/passwd /openapi.json/../staging/v1/inventory /_ah/../staging/v1/inventory
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
const entries = await run.entries();
const withKey = `Authorization: Bearer ${run.apiKey}`;

// After each test, the inventory must be unchanged and the service still running.
afterEach(async () => {
  expect((await run.patch(404, '{"quantity":1}')).status).toBe(404);
  expect(await run.entries()).toEqual(entries);
});

/**
 * Sends raw bytes on a new connection. Returns the text received until the connection closes, or is
 * idle for 10 s, and the statuses of the responses in the text.
 */
const responsesTo = async (bytes: string) => {
  const { port, hostname } = new URL(run.baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  // Otherwise an idle connection would stay open, waiting for bytes that neither side will send.
  socket.setTimeout(10_000, () => socket.destroy());
  socket.write(bytes, 'latin1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  return {
    text,
    statuses: [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status)),
  };
};

/**
 * Returns the statuses of the responses to these bytes, and fails if one of them contains the
 * inventory.
 */
const statusesOf = async (bytes: string) => {
  const { text, statuses } = await responsesTo(bytes);
  expect(text).not.toContain(stock);
  return statuses;
};

describe('the reads of the table that it takes to reject a key', () => {
  /** Returns their number for all of these keys. Sends updates, because lists are throttled. */
  const readsOf = async (apiKeys: string[]) => {
    const before = run.count('GetItem');
    const patchWith = (apiKey: string) =>
      serviceAt(run.baseUrl, apiKey).patch(404404, '{"quantity":7}');
    const responses = await pMap(apiKeys, patchWith, { concurrency: 4 });
    expect(responses).toMatchObject(apiKeys.map(() => unauthorized));
    return run.count('GetItem') - before;
  };
  const keys = (count: number) => Array.from({ length: count }, () => createApiKey('staging'));

  test('are one for a well-formed key, and none while its rejection is cached', async () => {
    const unknown = keys(20);
    expect(await readsOf(unknown)).toBe(20);
    expect(await readsOf(unknown)).toBe(0);
  });

  test.each([
    { what: 'a wrong last character', malform: wrongLast },
    { what: 'upper case', malform: (apiKey: string) => apiKey.toUpperCase() },
    { what: 'too few characters', malform: (apiKey: string) => apiKey.slice(1) },
    { what: 'too many characters', malform: (apiKey: string) => `${apiKey}0` },
  ])('are none for keys with $what', async ({ malform }) => {
    expect(await readsOf(keys(20).map(malform))).toBe(0);
  });
});

test.each(paths)('a client without a key gets no inventory at %s', async (path) => {
  const [status = 0] = await statusesOf(get(path));
  // The API reference is public.
  expect(status === 200).toBe(path === '/');
  expect(status).toBeGreaterThan(0);
  expect(status).toBeLessThan(500);
});

test('no method at any path allows more than the two operations with a key', async () => {
  const special = ['v1', 'inventory', '1', '', '.', '..', '%2e', '%2F', '%00', '%', 'ping'];
  const segment = fc.oneof(
    fc.constantFrom(...special, '{petId}'),
    fc.stringMatching(/^[\w~!$&'()*+,;=:@%.-]{0,8}$/),
  );
  const anyPath = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
  const methods = fc.constantFrom('GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD');
  const isServedRight = async (method: string, path: string, hasKey: boolean) => {
    const send = hasKey ? run.send : run.sendBare;
    const { status } = await unthrottled(() => send({ method, path }));
    // A PATCH without a body is a 400.
    expect([200, 400, 401, 404, 405]).toContain(status);
    expect(status === 200).toBe(hasKey && method === 'GET' && /^\/inventory\/?$/.test(path));
  };
  await fc.assert(fc.asyncProperty(methods, anyPath, fc.boolean(), isServedRight), {
    numRuns: 50,
  });
});

test.each([
  { what: 'without a scheme', headers: [`Authorization: ${run.apiKey}`] },
  { what: 'on a folded line', headers: ['Authorization: Bearer', ` ${run.apiKey}`] },
  { what: 'in another header', headers: [`X-Api-Key: ${run.apiKey}`] },
  {
    what: 'after a wrong key',
    headers: [`Authorization: Bearer ${wrongLast(run.apiKey)}`, `Authorization: ${run.apiKey}`],
  },
])('even a valid key is rejected $what', async ({ headers }) => {
  const [status] = await statusesOf(get(inventory, ...headers));
  expect([400, 401]).toContain(status);
});

describe('a request cannot be smuggled in', () => {
  const chunked = 'Transfer-Encoding: chunked';
  const empty = 'Content-Length: 0';
  // The smuggled request has a valid key, so a response to it would be the list.
  const smuggled = get(inventory, withKey);

  test.each([
    {
      what: 'a Content-Length and chunks',
      bytes: post(['Content-Length: 5', chunked], `0\r\n\r\n${smuggled}`),
    },
    {
      what: 'two Content-Lengths',
      bytes: post([empty, `Content-Length: ${smuggled.length}`], smuggled),
    },
    {
      what: 'a folded header',
      bytes: post(['Transfer-Encoding:', ' chunked', empty], `0\r\n\r\n${smuggled}`),
    },
    { what: 'a bare line feed', bytes: post([`X: y\n${empty}`], smuggled) },
    { what: 'a chunk extension', bytes: post([chunked], `0;\n\r\n\r\n${smuggled}`) },
  ])('with $what', async ({ bytes }) => {
    expect(await statusesOf(bytes)).toEqual([400]);
  });
});

test('a request of HTTP/0.9 needs a key, too', async () => {
  expect(await statusesOf(`GET ${inventory}\r\n\r\n`)).toEqual([401]);
});

test('a request gets nothing from an authorized one before it on its connection', async () => {
  const first = get(inventory, withKey).replace('close', 'keep-alive');
  const { text, statuses } = await responsesTo(first + get(inventory));
  expect(statuses).toEqual([200, 401]);
  expect(text.split(stock)).toHaveLength(2);
});

test('a request gets nothing because of one with another method before it', async () => {
  expect(await statusesOf(post([], get(inventory)))).toEqual([405, 401]);
});

test('headers of 10,240 bytes get a 431', async () => {
  expect(await statusesOf(get(inventory, `X: ${'x'.repeat(10_240)}`))).toEqual([431]);
});

test('a body that is too large for Lambda gets a 413', async () => {
  const megabytes = 7;
  const tooLarge = await run.patch(1, `{"quantity":${' '.repeat(megabytes * 1024 * 1024)}7}`);
  expect(tooLarge).toMatchObject(
    errorResponse(413, 'request_too_large', 'The request is too large.'),
  );
});

test('100 requests that never end delay no other', async () => {
  // Half of them never end their headers, half never send their body.
  const headers = `GET ${inventory} HTTP/1.1\r\nX: `;
  const body = requestOf('PATCH', `${inventory}/1`, [withKey, 'Content-Length: 1000']);
  const { port } = new URL(run.baseUrl);
  const sockets = Array.from({ length: 100 }, () => connect(Number(port), '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const [index, socket] of sockets.entries()) {
    socket.write(index % 2 === 0 ? headers : body);
  }
  expect(await run.patch(404, '{"quantity":1}')).toMatchObject({ status: 404 });
  expect(sockets.filter(({ readyState }) => readyState !== 'open')).toEqual([]);
  for (const socket of sockets) {
    socket.destroy();
  }
});

test('of a hundred updates at the same time each succeeds, and a later one wins', async () => {
  const [entry = {}] = entries;
  const petId = String(entry.petId?.N);
  const quantities = Array.from({ length: 100 }, (_, index) => BigInt(1_000 + index));
  const responses = await Promise.all(
    quantities.map((quantity) => run.patch(petId, `{"quantity":${quantity}}`)),
  );
  const updated = quantities.map((quantity) => ({ status: 200, body: { quantity } }));
  expect(responses).toMatchObject(updated);
  await run.patch(petId, '{"quantity":2000}');
  const { body } = await unthrottled(() => run.send({ path: '/inventory' }));
  expect(body).toContainEqual(expect.objectContaining({ petId: BigInt(petId), quantity: 2_000n }));
  await run.put(entry);
});
