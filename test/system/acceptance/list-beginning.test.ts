import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { listBeginning } from '../../acceptance/list-beginning.ts';
import { serve } from '../../support/http/serve.ts';

const limit = 10_000;
const headers = {
  'Content-Type': 'application/json',
  'Content-Encoding': 'gzip',
  'Cache-Control': 'no-store',
};

const entry = (petId: number): string => `{"petId":${petId},"quantity":1,"status":"sold"}`;

/** Generates a list of this many entries. */
function* listOf(size: number): Iterable<string> {
  yield '[';
  for (let petId = 0; petId < size; petId += 1) {
    yield petId === 0 ? entry(petId) : `,${entry(petId)}`;
  }
  yield ']';
}

const sendCompressed = (response: ServerResponse, text: Iterable<string>): Promise<void> =>
  pipeline(Readable.from(text), createGzip({ level: 1 }), response.writeHead(200, headers));

/** Serves what a function sends, and reads the beginning of the list there. */
const beginningFrom = async (send: (response: ServerResponse) => unknown) => {
  const url = await serve((_request, response) => void send(response));
  return listBeginning({ baseUrl: `${url}/prod/v1`, apiKey: 'key' }, limit);
};

test('of a list of a million entries, a read-only run reads 10,000, and closes the connection', async () => {
  let closed: Promise<unknown> | undefined;
  const { items, isWhole } = await beginningFrom((response) => {
    closed = once(response, 'close');
    return sendCompressed(response, listOf(1_000_000)).catch(() => {});
  });
  await closed;
  const [first, last] = [items[0]?.petId, items.at(-1)?.petId];
  const read = { count: items.length, isWhole, first, last };
  expect(read).toStrictEqual({ count: limit, isWhole: false, first: 0n, last: 9_999n });
});

test('of a shorter list, a read-only run reads all', async () => {
  const { items, isWhole } = await beginningFrom((response) =>
    sendCompressed(response, listOf(limit - 1)),
  );
  expect({ count: items.length, isWhole }).toStrictEqual({ count: limit - 1, isWhole: true });
});

test.each([
  { wrong: 'an entry that breaks the contract', text: ['[{"petId":1,"quantity":1}]'] },
  { wrong: 'an end that is missing', text: [`[${entry(1)},`] },
])('a list with $wrong is an error', async ({ text }) => {
  await expect(beginningFrom((response) => sendCompressed(response, text))).rejects.toThrow();
});

test('a list is requested again after a 429', async () => {
  let requests = 0;
  const { items } = await beginningFrom((response) => {
    requests += 1;
    return requests === 1
      ? response.writeHead(429, { 'Retry-After': '0' }).end('{}')
      : sendCompressed(response, [`[${entry(1)}]`]);
  });
  expect({ requests, count: items.length }).toStrictEqual({ requests: 2, count: 1 });
});
