import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
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

describe('of a list, the suite', () => {
  test('reads 10,000 of a million entries, and closes the connection', async () => {
    let closed: Promise<unknown> | undefined;
    const { items, isWhole } = await beginningFrom((response) => {
      closed = once(response, 'close');
      return sendCompressed(response, listOf(1_000_000)).catch(() => {});
    });
    await closed;
    expect({ count: items.length, isWhole }).toStrictEqual({ count: limit, isWhole: false });
    expect([items[0]?.petId, items.at(-1)?.petId]).toStrictEqual([0n, BigInt(limit - 1)]);
  });

  test('reads all entries if there are fewer', async () => {
    const { items, isWhole } = await beginningFrom((each) =>
      sendCompressed(each, listOf(limit - 1)),
    );
    expect({ count: items.length, isWhole }).toStrictEqual({ count: limit - 1, isWhole: true });
  });

  test('reads no entries if it is empty', async () => {
    const { items, isWhole } = await beginningFrom((response) => sendCompressed(response, ['[]']));
    expect({ items, isWhole }).toStrictEqual({ items: [], isWhole: true });
  });

  test('reads what is not compressed, too', async () => {
    const plain = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    const { items } = await beginningFrom((response) =>
      response.writeHead(200, plain).end(`[${entry(1)}]`),
    );
    expect(items).toStrictEqual([{ petId: 1n, quantity: 1n, status: 'sold' }]);
  });

  test.each([
    { wrong: 'an entry without a status', text: ['[{"petId":1,"quantity":1}]'] },
    { wrong: 'an entry in an entry', text: ['[{"petId":1,"quantity":{},"status":"sold"}]'] },
    { wrong: 'an end that is missing', text: [`[${entry(1)},`] },
  ])('rejects $wrong', async ({ text }) => {
    await expect(beginningFrom((response) => sendCompressed(response, text))).rejects.toThrow();
  });

  test('rejects an error', async () => {
    const failing = beginningFrom((response) =>
      response
        .writeHead(500, { 'Content-Type': 'application/json' })
        .end('{"code":"internal_error","message":"Something went wrong.","status":500}'),
    );
    await expect(failing).rejects.toThrow('GET /inventory responded 500');
  });

  test('requests it again after a 429', async () => {
    let requests = 0;
    const { items } = await beginningFrom((response) => {
      requests += 1;
      return requests === 1
        ? response.writeHead(429, { 'Retry-After': '0' }).end('{}')
        : sendCompressed(response, [`[${entry(1)}]`]);
    });
    expect({ requests, count: items.length }).toStrictEqual({ requests: 2, count: 1 });
  });
});
