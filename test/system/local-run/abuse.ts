// What a client without a valid key may try, to get at the inventory or to keep others from it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { retryAfter } from '../../../functions/errors/api-error.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { run } from './run.ts';

const stored = async () => {
  const { client, inventory: TableName } = run.tables;
  return (await client.scan({ TableName })).Items;
};
const entries = await stored();
// Whatever the tests have sent, it has changed nothing.
atEnd(async () => expect(await stored()).toStrictEqual(entries));

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
 * closes, or is idle for half a minute, and how often they reveal the inventory.
 */
const responsesTo = async (bytes: string) => {
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  // Otherwise an idle connection would stay open, waiting for bytes that neither side will send.
  socket.setTimeout(30_000, () => socket.destroy());
  socket.write(bytes, 'latin1');
  let text = '';
  // A server that has not read all bytes may reset the connection after its response.
  socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
  await new Promise((closed) => socket.once('close', closed));
  const statuses = Array.from(text.matchAll(/HTTP\/1\.[01] (\d{3})/g), ([, status]) =>
    Number(status),
  );
  return { statuses, revealed: text.split(stock).length - 1 };
};

/** Does the same, again after a 429: a fast machine exceeds the stage's rates. */
const responsesBut429 = async (bytes: string): Promise<Awaited<ReturnType<typeof responsesTo>>> => {
  const responses = await responsesTo(bytes);
  if (!responses.statuses.includes(429)) {
    return responses;
  }
  // One at a time would take the tokens that several requests on a connection need.
  await sleep(1_000 * Number(retryAfter));
  return responsesBut429(bytes);
};

/** The smuggled request has a valid key, so a response to it would be the list. */
const smuggled = get(inventory, withKey);
const chunked = 'Transfer-Encoding: chunked';
const empty = 'Content-Length: 0';

interface Row {
  what: string;
  bytes: string;
  statuses: number[];
  revealed?: number;
}

const requests: Row[] = [
  { what: 'without a key', bytes: get(inventory), statuses: [401] },
  { what: 'of HTTP/0.9', bytes: `GET ${inventory}\r\n\r\n`, statuses: [403] },
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
    bytes: requestOf('OPTIONS', inventory, []) + get(inventory),
    statuses: [405, 401],
  },
  {
    what: 'after an authorized one',
    bytes: smuggled.replace('close', 'keep-alive') + get(inventory),
    statuses: [200, 401],
    revealed: 1,
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
];

/** Paths at which a careless server might serve the inventory, by the status that they get. */
const paths: Record<number, string[]> = {
  // The page is public.
  200: ['/'],
  400: ['staging/v1/inventory'],
  401: ['/staging/v1/inventory/', '/staging/v1/inventory?Authorization=x'],
  403: [
    'http://localhost/staging/v1/inventory',
    '//staging/v1/inventory',
    '/STAGING/v1/inventory',
    String.raw`/staging\v1\inventory`,
    '*',
    '/../../../../etc/passwd',
    '/openapi.json/../staging/v1/inventory',
    '/_ah/../staging/v1/inventory',
  ],
  404: [
    '/staging/v1//inventory',
    '/staging//v1/inventory',
    '/staging/v1/./inventory',
    '/staging/v1/../v1/inventory',
    '/staging/v1/x/../inventory',
    '/staging/v1/inventory/../inventory',
    '/staging/v1/%2e%2e/v1/inventory',
    '/staging/v1%2finventory',
    '/staging/v1/inventory%2f',
    '/staging/v1/inventory;a=b',
    '/staging/v1/inventory%00',
    '/staging/V1/inventory',
  ],
};
const atPaths = Object.entries(paths).flatMap(([status, all]) =>
  all.map((path): Row => ({ what: `at ${path}`, bytes: get(path), statuses: [Number(status)] })),
);

test('a request at /staging/v1/inventory/.. gets what one for a pet does', async () => {
  const responses = await responsesBut429(get(`${inventory}/..`));
  expect(responses).toStrictEqual(await responsesBut429(get(`${inventory}/1`)));
  expect(responses.revealed).toBe(0);
});

test.each([...requests, ...atPaths])(
  'a request $what gets $statuses, and no inventory of its own',
  async ({ bytes, statuses, revealed = 0 }) => {
    expect(await responsesBut429(bytes)).toStrictEqual({ statuses, revealed });
  },
);

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
    const { status } = await send({ method, path });
    // A PATCH without a body is a 400.
    expect([200, 400, 401, 404, 405]).toContain(status);
    expect(status === 200).toBe(hasKey && method === 'GET' && /^\/inventory\/?$/.test(path));
  };
  await fc.assert(fc.asyncProperty(methods, anyPath, fc.boolean(), isServedRight), {
    numRuns: 50,
  });
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
  for (const socket of sockets) {
    socket.destroy();
  }
});
