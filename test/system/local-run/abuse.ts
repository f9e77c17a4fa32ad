// What a client without a valid key may try, to get at the inventory or to keep others from it.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { retryAfter } from '../../../functions/errors/api-error.ts';
import { type Message, sendRaw } from '../../support/http/raw-request.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { run } from './run.ts';

const stored = async () => {
  const { client, inventory: TableName } = run.tables;
  return (await client.scan({ TableName })).Items;
};
const entries = await stored();
// Whatever the tests have sent, it has changed nothing.
atEnd(async () => expect(await stored()).toStrictEqual(entries));

/** Text from one entry. A response that contains this text reveals the inventory. */
const stock = '"quantity":9007199254740991';

const { origin, pathname } = new URL(run.baseUrl);
const inventory = `${pathname}/inventory`;

interface Seen {
  status: number;
  isRevealing: boolean;
}

/** Asks again after each 429: a fast machine exceeds the stage's rates. */
const but429 = async (ask: () => Promise<Seen>): Promise<Seen> => {
  const seen = await ask();
  if (seen.status !== 429) {
    return seen;
  }
  await sleep(1_000 * Number(retryAfter));
  return but429(ask);
};

const send = (message: Message): Promise<Seen> =>
  but429(async () => {
    const { status, text } = await sendRaw(origin, message);
    return { status, isRevealing: text.includes(stock) };
  });

const valid = `Bearer ${run.apiKey}`;
/** The key with a wrong last character. */
const wrong = valid.replace(/.$/, (last) => (last === '0' ? '1' : '0'));

test.each<{ what: string; headers: Message['headers'] }>([
  { what: 'no key', headers: {} },
  { what: 'a key without a scheme', headers: { Authorization: run.apiKey } },
  { what: 'a key in another header', headers: { 'X-Api-Key': run.apiKey } },
  { what: 'a key after a wrong one', headers: { Authorization: [wrong, valid] } },
])('a request with $what gets a 401, and no inventory', async ({ headers }) => {
  expect(await send({ path: inventory, headers })).toStrictEqual({
    status: 401,
    isRevealing: false,
  });
});

test('a request needs a key also on the connection of one that had it', async () => {
  const list = (headers: Record<string, string>) =>
    but429(async () => {
      const response = await fetch(`${run.baseUrl}/inventory`, { headers });
      const text = await response.text();
      return { status: response.status, isRevealing: text.includes(stock) };
    });
  expect(await list({ Authorization: valid })).toStrictEqual({ status: 200, isRevealing: true });
  expect(await list({})).toStrictEqual({ status: 401, isRevealing: false });
});

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

test.each(Object.entries(paths))(
  'without a key, each path for the status %s gets it, and no inventory',
  async (status, all) => {
    for (const path of all) {
      expect({ path, ...(await send({ path })) }).toStrictEqual({
        path,
        status: Number(status),
        isRevealing: false,
      });
    }
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
    const { status } = await (hasKey ? run.send : run.sendBare)({ method, path });
    // A PATCH without a body is a 400.
    expect([200, 400, 401, 404, 405]).toContain(status);
    expect(status === 200).toBe(hasKey && method === 'GET' && /^\/inventory\/?$/.test(path));
  };
  await fc.assert(fc.asyncProperty(methods, anyPath, fc.boolean(), isServedRight), {
    numRuns: 50,
  });
});
