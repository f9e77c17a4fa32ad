import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { listBeginning } from '../../../../ops/acceptance/suite/list-beginning.ts';
import { serve } from '../../../support/http/serve.ts';

const limit = 10_000;
const headers = {
  'Content-Type': 'application/json',
  'Content-Encoding': 'gzip',
  'Cache-Control': 'no-store',
};

const entry = (petId: number): string => `{"petId":${petId},"quantity":1,"status":"sold"}`;

/** Generates a list of this many entries, and counts those that were taken. */
const listOf = (size: number) => {
  const list = { taken: 0, text: (): Iterable<string> => parts() };
  function* parts(): Iterable<string> {
    yield '[';
    for (list.taken = 0; list.taken < size; list.taken += 1) {
      yield `${list.taken === 0 ? '' : ','}${entry(list.taken)}`;
    }
    yield ']';
  }
  return list;
};

const sendCompressed = (response: ServerResponse, text: Iterable<string>): Promise<void> =>
  pipeline(Readable.from(text), createGzip({ level: 1 }), response.writeHead(200, headers));

/** Serves what a function sends, and reads the beginning of the list there. */
const beginningFrom = async (send: (response: ServerResponse) => unknown) => {
  const url = await serve((_request, response) => void send(response));
  return listBeginning({ baseUrl: `${url}/prod/v1`, apiKey: 'key' }, limit);
};

test('of a million entries, 10,000 are read, and the connection is closed', async () => {
  const million = 1_000_000;
  const list = listOf(million);
  let closed: Promise<unknown> | undefined;
  const { items, isWhole } = await beginningFrom((response) => {
    closed = once(response, 'close');
    return sendCompressed(response, list.text()).catch(() => {});
  });
  await closed;

  expect({ count: items.length, isWhole }).toEqual({ count: limit, isWhole: false });
  expect([items[0]?.petId, items.at(-1)?.petId]).toEqual([0n, BigInt(limit - 1)]);
  expect(list.taken).toBeLessThan(million / 2);
});

test('a shorter list is read as a whole', async () => {
  const list = listOf(limit - 1);
  const { items, isWhole } = await beginningFrom((each) => sendCompressed(each, list.text()));
  expect({ count: items.length, isWhole }).toEqual({ count: limit - 1, isWhole: true });
});

test('an empty list has no entries', async () => {
  const empty = await beginningFrom((response) => sendCompressed(response, ['[]']));
  expect(empty).toEqual({ items: [], isWhole: true });
});

test('a list that is not compressed is read, too', async () => {
  const plain = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  const { items } = await beginningFrom((response) =>
    response.writeHead(200, plain).end(`[${entry(1)}]`),
  );
  expect(items).toEqual([{ petId: 1n, quantity: 1n, status: 'sold' }]);
});

test.each([
  { wrong: 'an entry without a status', text: ['[{"petId":1,"quantity":1}]'] },
  { wrong: 'an entry in an entry', text: ['[{"petId":1,"quantity":{},"status":"sold"}]'] },
  { wrong: 'a list that is cut off', text: [`[${entry(1)},`] },
])('$wrong is an error', async ({ text }) => {
  await expect(beginningFrom((response) => sendCompressed(response, text))).rejects.toThrow();
});

test('a list that fails is an error', async () => {
  const failing = beginningFrom((response) =>
    response
      .writeHead(500, { 'Content-Type': 'application/json' })
      .end('{"code":"internal_error","message":"Something went wrong.","status":500}'),
  );
  await expect(failing).rejects.toThrow('GET /inventory responded 500');
});

test('a list that gets a 429 is requested again', async () => {
  let requests = 0;
  const { items } = await beginningFrom((response) => {
    requests += 1;
    return requests === 1
      ? response.writeHead(429, { 'Retry-After': '0' }).end('{}')
      : sendCompressed(response, [`[${entry(1)}]`]);
  });
  expect({ requests, count: items.length }).toEqual({ requests: 2, count: 1 });
});
