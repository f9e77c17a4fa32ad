// What a client without a valid key may try, to get at the inventory or to keep others from it.
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

const requestOf = (method: string, path: string, headers: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
const get = (path: string, ...headers: string[]) =>
  requestOf('GET', path, [...headers, 'Connection: close']);

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

interface Row {
  what: string;
  bytes: string;
  statuses: number[];
  revealed?: number;
}

const requests: Row[] = [
  { what: 'without a key', bytes: get(inventory), statuses: [401] },
  {
    what: 'with a key without a scheme',
    bytes: get(inventory, `Authorization: ${run.apiKey}`),
    statuses: [401],
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
    what: 'after one with another method',
    bytes: requestOf('OPTIONS', inventory, []) + get(inventory),
    statuses: [405, 401],
  },
  {
    what: 'after an authorized one',
    bytes: requestOf('GET', inventory, [withKey]) + get(inventory),
    statuses: [200, 401],
    revealed: 1,
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
