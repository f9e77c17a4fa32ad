import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pMap from 'p-map';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { dynamodbProxy, pass } from '../../support/dynamodb/dynamodb-proxy.ts';
import { startEngine } from '../../support/dynamodb/engine.ts';
import { errorResponse, serviceAt, unauthorized } from '../../support/http/http-client.ts';
import type { HttpResponse } from '../../support/http/raw-request.ts';
import { engineClient, localRun } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { until } from '../../support/process/until.ts';

/** How often the authorizer has read its table, without the retries that a busy machine causes. */
let reads = 0;
const engine = await startEngine();
atEnd(engine.stop);
const tables = await dynamodbProxy(engine.endpoint, (call) => {
  const isFirstAttempt = /^attempt=1;/.test(`${call.headers['amz-sdk-request']}`);
  reads += call.operation === 'GetItem' && isFirstAttempt ? 1 : 0;
  return pass(call);
});
atEnd(tables.close);

const run = await localRun('--dynamodb', tables.endpoint);
const client = engineClient(engine.endpoint);
atEnd(() => client.destroy());
const stored = async () => (await client.scan({ TableName: run.tables.inventory })).Items ?? [];
const entries = await stored();

// After each test, the inventory must be unchanged and the service still running.
afterEach(async () => {
  expect((await run.patch(404, '{"quantity":1}')).status).toBe(404);
  expect(await stored()).toStrictEqual(entries);
});

const inventory = '/staging/v1/inventory';
const withKey = `Authorization: Bearer ${run.apiKey}`;

/** Text from one entry. A response that contains this text reveals the inventory. */
const stock = '"quantity":9007199254740991';

/** Returns the key with a wrong last character. */
const wrongLast = (apiKey: string) => apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0');

const requestOf = (method: string, path: string, headers: string[], body = '') =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`;
const get = (path: string, ...headers: string[]) =>
  requestOf('GET', path, [...headers, 'Connection: close']);
const post = (headers: string[], body: string) => requestOf('POST', inventory, headers, body);

const { port, hostname } = new URL(run.baseUrl);

/**
 * Sends raw bytes on a new connection. Returns the statuses of the responses until the connection
 * closes, or is idle for 10 s, and how often they reveal the inventory.
 */
const responsesTo = async (bytes: string) => {
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  // Otherwise an idle connection would stay open, waiting for bytes that neither side will send.
  socket.setTimeout(10_000, () => socket.destroy());
  socket.write(bytes, 'latin1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  const statuses = Array.from(text.matchAll(/HTTP\/1\.[01] (\d{3})/g), ([, status]) =>
    Number(status),
  );
  return { statuses, revealed: text.split(stock).length - 1 };
};

/** The smuggled request has a valid key, so a response to it would be the list. */
const smuggled = get(inventory, withKey);
const chunked = 'Transfer-Encoding: chunked';
const empty = 'Content-Length: 0';

test.each([
  { what: 'without a key', bytes: get(inventory), statuses: [401] },
  { what: 'of HTTP/0.9', bytes: `GET ${inventory}\r\n\r\n`, statuses: [401] },
  {
    what: 'with a key without a scheme',
    bytes: get(inventory, `Authorization: ${run.apiKey}`),
    statuses: [401],
  },
  {
    what: 'with a key on a folded line',
    bytes: get(inventory, 'Authorization: Bearer', ` ${run.apiKey}`),
    statuses: [400],
  },
  {
    what: 'with a key in another header',
    bytes: get(inventory, `X-Api-Key: ${run.apiKey}`),
    statuses: [401],
  },
  {
    what: 'with a key after a wrong one',
    bytes: get(inventory, `Authorization: Bearer ${wrongLast(run.apiKey)}`, withKey),
    statuses: [401],
  },
  {
    what: 'with headers of 10,240 bytes',
    bytes: get(inventory, `X: ${'x'.repeat(10_240)}`),
    statuses: [431],
  },
  {
    what: 'after one with another method',
    bytes: post([], get(inventory)),
    statuses: [405, 401],
  },
  {
    what: 'smuggled with a Content-Length and chunks',
    bytes: post(['Content-Length: 5', chunked], `0\r\n\r\n${smuggled}`),
    statuses: [400],
  },
  {
    what: 'smuggled with two Content-Lengths',
    bytes: post([empty, `Content-Length: ${smuggled.length}`], smuggled),
    statuses: [400],
  },
  {
    what: 'smuggled with a folded header',
    bytes: post(['Transfer-Encoding:', ' chunked', empty], `0\r\n\r\n${smuggled}`),
    statuses: [400],
  },
  {
    what: 'smuggled with a bare line feed',
    bytes: post([`X: y\n${empty}`], smuggled),
    statuses: [400],
  },
  {
    what: 'smuggled with a chunk extension',
    bytes: post([chunked], `0;\n\r\n\r\n${smuggled}`),
    statuses: [400],
  },
])('a request $what gets $statuses, and no inventory', async ({ bytes, statuses }) => {
  expect(await responsesTo(bytes)).toStrictEqual({ statuses, revealed: 0 });
});

test('a request gets nothing from an authorized one before it on its connection', async () => {
  const first = get(inventory, withKey).replace('close', 'keep-alive');
  const both = await responsesTo(first + get(inventory));
  expect(both).toStrictEqual({ statuses: [200, 401], revealed: 1 });
});

/** Asks until the throttling lets it through: a fast machine exceeds the rate of lists. */
const unthrottled = (ask: () => Promise<HttpResponse>): Promise<HttpResponse> =>
  until('a response but 429', async () => {
    const answer = await ask();
    return answer.status === 429 ? undefined : answer;
  });

/** The path of the inventory, and paths at which a careless server might serve it too. */
const paths = String.raw`
  /staging/v1//inventory /staging//v1/inventory //staging/v1/inventory /staging/v1/./inventory
  /staging/v1/../v1/inventory /staging/v1/x/../inventory /staging/v1/inventory/..
  /staging/v1/inventory/../inventory /staging/v1/%2e%2e/v1/inventory /staging/v1%2finventory
  /staging/v1/inventory%2f /staging/v1/inventory/ /staging/v1/inventory;a=b
  /staging/v1/inventory?Authorization=x /staging/v1/inventory%00 /STAGING/v1/inventory
  /staging/V1/inventory /staging\v1\inventory staging/v1/inventory
  http://localhost/staging/v1/inventory http://evil.example/staging/v1/inventory * /
  http://localhost /../../../../etc/passwd /openapi.json/../staging/v1/inventory
  /_ah/../staging/v1/inventory
`
  .trim()
  .split(/\s+/);

test.each(paths)('a client without a key gets no inventory at %s', async (path) => {
  const { statuses, revealed } = await until('a response but 429', async () => {
    const responses = await responsesTo(get(path));
    return responses.statuses[0] === 429 ? undefined : responses;
  });
  expect(revealed).toBe(0);
  // The page is public.
  const isPage = path === '/' || path === 'http://localhost';
  expect(isPage ? [200] : [400, 401, 403, 404, 405]).toContain(statuses[0]);
  expect(statuses).toHaveLength(1);
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
  {
    what: 'that is well-formed, but not while its rejection is cached',
    malform: String,
    reads: 20,
  },
  { what: 'with a wrong last character', malform: wrongLast, reads: 0 },
  { what: 'in upper case', malform: (apiKey: string) => apiKey.toUpperCase(), reads: 0 },
  { what: 'with too few characters', malform: (apiKey: string) => apiKey.slice(1), reads: 0 },
  { what: 'with too many characters', malform: (apiKey: string) => `${apiKey}0`, reads: 0 },
])('an unknown key costs a read only if it is one $what', async (row) => {
  const keys = Array.from({ length: 20 }, () => row.malform(createApiKey('staging')));
  // Updates, because lists are throttled.
  const readsNow = async () => {
    const before = reads;
    const patchWith = (apiKey: string) => serviceAt(run.baseUrl, apiKey).patch(404, '{}');
    expect(await pMap(keys, patchWith, { concurrency: 4 })).toMatchObject(
      keys.map(() => unauthorized),
    );
    return reads - before;
  };
  expect([await readsNow(), await readsNow()]).toStrictEqual([row.reads, 0]);
});

test('a body of 10 MB is not a body of 4 KiB, and gets a 413', async () => {
  const tooLarge = await run.patch(1, Buffer.alloc(10_485_760, ' ').toString());
  expect(tooLarge).toMatchObject(
    errorResponse(413, 'request_too_large', 'The body must have at most 4096 bytes, not 10485760.'),
  );
});

test('100 requests that never end delay no other', async () => {
  // Half of them never end their headers, half never send their body.
  const headers = `GET ${inventory} HTTP/1.1\r\nX: `;
  const body = requestOf('PATCH', `${inventory}/1`, [withKey, 'Content-Length: 1000']);
  const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const [index, socket] of sockets.entries()) {
    socket.write(index % 2 === 0 ? headers : body);
  }
  expect(await run.patch(404, '{"quantity":1}')).toMatchObject({ status: 404 });
  expect(sockets.filter(({ readyState }) => readyState !== 'open')).toStrictEqual([]);
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
  expect(responses).toMatchObject(
    quantities.map((quantity) => ({ status: 200, body: { quantity } })),
  );
  await run.patch(petId, '{"quantity":2000}');
  const { body } = await unthrottled(() => run.send({ path: '/inventory' }));
  const status = entry.status?.S;
  expect(body).toContainEqual({ petId: BigInt(petId), quantity: 2_000n, status });
  await client.putItem({ TableName: run.tables.inventory, Item: entry });
});
