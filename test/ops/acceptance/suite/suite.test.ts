import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { serviceAt } from '../../../../ops/acceptance/suite/http-client.ts';
import { restoring } from '../../../../ops/acceptance/suite/inventory.ts';
import { listBeginning } from '../../../../ops/acceptance/suite/list-beginning.ts';
import { violations } from '../../../../ops/acceptance/suite/openapi.ts';
import { sendRaw } from '../../../../ops/acceptance/suite/raw-request.ts';
import { repeated } from '../../../../ops/acceptance/suite/repeated.ts';
import { serve } from '../../../support/http/serve.ts';

afterEach(() => void jest.restoreAllMocks());

const tooManyRequests = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  text: '{"code":"too_many_requests","message":"Too many requests.","status":429}',
};

test.each([
  { what: 'nothing', change: {}, found: [] },
  { what: 'an undocumented status', change: { status: 409 }, found: ['409 is no response to'] },
  {
    what: 'a missing header',
    change: { headers: { 'content-type': 'application/json' } },
    found: ["data/headers must have required property 'retry-after'"],
  },
  {
    what: 'a malformed header',
    change: { headers: { ...tooManyRequests.headers, 'retry-after': '0' } },
    found: ['data/headers/retry-after must match pattern'],
  },
  {
    what: 'a body of another status',
    change: { text: tooManyRequests.text.replace('429', '430') },
    found: ['data/body/status must be equal to constant'],
  },
])('the suite finds $what that the contract does not allow', ({ change, found }) => {
  expect(violations('GET', '/v1/inventory', { ...tooManyRequests, ...change })).toEqual(
    found.map((text) => expect.stringContaining(text)),
  );
});

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
    expect({ count: items.length, isWhole }).toEqual({ count: limit, isWhole: false });
    expect([items[0]?.petId, items.at(-1)?.petId]).toEqual([0n, BigInt(limit - 1)]);
  });

  test('reads all entries if there are fewer', async () => {
    const { items, isWhole } = await beginningFrom((each) =>
      sendCompressed(each, listOf(limit - 1)),
    );
    expect({ count: items.length, isWhole }).toEqual({ count: limit - 1, isWhole: true });
  });

  test('reads no entries if it is empty', async () => {
    const empty = await beginningFrom((response) => sendCompressed(response, ['[]']));
    expect(empty).toEqual({ items: [], isWhole: true });
  });

  test('reads what is not compressed, too', async () => {
    const plain = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    const { items } = await beginningFrom((response) =>
      response.writeHead(200, plain).end(`[${entry(1)}]`),
    );
    expect(items).toEqual([{ petId: 1n, quantity: 1n, status: 'sold' }]);
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
    expect({ requests, count: items.length }).toEqual({ requests: 2, count: 1 });
  });
});

interface Reply {
  status: number;
  errorType?: string;
  code?: string;
}

const unknownPath: Reply = { status: 403, errorType: 'MissingAuthenticationTokenException' };
const fallback: Reply = { status: 404, code: 'path_not_found' };
const ofFunction: Reply = { status: 404, code: 'pet_not_found' };
const right: Reply = { status: 200 };

test.each([
  {
    what: 'an unknown path',
    replies: [unknownPath, right],
    requests: 2,
    printed: ['failed, and is repeated: got 403', 'passed when it was repeated.'],
  },
  {
    what: 'a fallback route',
    replies: [fallback, right],
    requests: 2,
    printed: ['failed, and is repeated: got 404', 'passed when it was repeated.'],
  },
  {
    what: 'an unavailable service',
    replies: [{ status: 503, code: 'service_unavailable' }, right],
    requests: 2,
    printed: ['failed, and is repeated: got 503', 'passed when it was repeated.'],
  },
  {
    what: 'an unknown path twice',
    replies: [unknownPath, fallback],
    requests: 2,
    failure: 'got 404',
    printed: ['failed, and is repeated: got 403'],
  },
  {
    what: 'a function',
    replies: [ofFunction, right],
    requests: 1,
    failure: 'got 404',
    printed: [],
  },
  {
    what: 'what is right',
    replies: [{ ...right, errorType: 'X' }],
    requests: 1,
    printed: [],
  },
])('a check that is answered by $what sends $requests requests', async (row) => {
  const left = [...row.replies];
  let requests = 0;
  const url = await serve((_request, response) => {
    requests += 1;
    const { status, errorType, code } = left.shift() ?? right;
    response
      .writeHead(status, {
        'Content-Type': 'application/json',
        ...(errorType && { 'x-amzn-ErrorType': errorType }),
      })
      .end(JSON.stringify({ code }));
  });
  const print = jest.spyOn(process.stderr, 'write').mockReturnValue(true);

  const check = repeated(async () => {
    const { status } = await sendRaw(url, { path: '/' });
    if (status !== 200) {
      throw new Error(`got ${status}`);
    }
  });
  const failure = await Promise.resolve(check()).then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  expect({ requests, failure }).toEqual({ requests: row.requests, failure: row.failure });

  const name = expect.getState().currentTestName;
  expect(print.mock.calls.map(([text]) => text)).toEqual(
    row.printed.map((result) => `${name} ${result}\n`),
  );
});

test('an https base URL is requested over TLS', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const failure = sendRaw(`https://127.0.0.1:${port}/prod/v1`, { path: '/' }).catch(() => 'closed');
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  server.close();
  // Every handshake of TLS begins with this byte.
  expect(bytes[0]).toBe(22);
  expect(await failure).toBe('closed');
});

test('the quantity of an entry is restored, although its check fails', async () => {
  const received: unknown[] = [];
  const url = await serve(async (request, response) => {
    received.push({ method: request.method, url: request.url, body: await json(request) });
    response
      .writeHead(200, { 'Content-Type': 'application/json', ETag: '"3-sold"' })
      .end('{"petId":7,"quantity":3,"status":"sold"}');
  });
  const item = { petId: 7n, quantity: 3n, status: 'sold' };
  const check = restoring(serviceAt(`${url}/prod/v1`, 'key'), item, () =>
    Promise.reject(new Error('The check failed.')),
  );
  await expect(check).rejects.toThrow('The check failed.');
  expect(received).toEqual([
    { method: 'PATCH', url: '/prod/v1/inventory/7', body: { quantity: 3 } },
  ]);
});
