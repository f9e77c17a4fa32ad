import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { connect, ResponseBuffer } from '../../../functions/dynamodb/connect.ts';
import { listen } from '../../../local/shared/local-server.ts';
import { respond, startDynamodb } from '../../support/dynamodb/dynamodb.ts';
import { atEnd } from '../../support/process/at-end.ts';

const dynamodb = await startDynamodb();
const { endpoint } = dynamodb;

const send = async (
  url = endpoint,
  connection = connect(new URL(url)),
  buffer = new ResponseBuffer(),
) => {
  const port = Number(new URL(url).port);
  const request = { port, path: '/', method: 'POST', headers: {}, body: '{}' };
  const { statusCode, bytes } = await connection.send(request as never, { timeout: 2_000, buffer });
  return { statusCode, text: String(bytes) };
};

/** Returns a connection, and the socket that it opens before any request. */
const connecting = (url = endpoint) => {
  const create = jest.spyOn(http.Agent.prototype, 'createConnection');
  const connection = connect(new URL(url));
  return { connection, socket: create.mock.results[0]?.value as Socket };
};

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Stops the clock of a test: the time limit is over only when the test says so. */
const stopClock = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'Date'] });

/** Waits until a buffer holds a text. No timer runs meanwhile. */
const arrived = async (buffer: ResponseBuffer, text: string) => {
  for (let turn = 0; turn < 100_000 && String(buffer.bytes) !== text; turn++) {
    await new Promise(setImmediate);
  }
  expect(String(buffer.bytes)).toBe(text);
};

test('fails if a response falls silent after it has begun', async () => {
  stopClock();
  const buffer = new ResponseBuffer();
  const ended = Promise.withResolvers<void>();
  dynamodb.script(async ({ response }) => {
    response.once('close', ended.resolve);
    response.writeHead(200, { 'content-length': 1000 }).write('{"Attr');
    await arrived(buffer, '{"Attr');
    jest.advanceTimersByTime(2_000);
  });
  const sent = send(endpoint, undefined, buffer);
  await expect(sent).rejects.toThrow('DynamoDB was silent for 2000 ms.');
  // No later request may get the rest of this response.
  await ended.promise;
});

test('does not fail because a response takes longer than its timeout', async () => {
  stopClock();
  const buffer = new ResponseBuffer();
  dynamodb.script(async ({ response }) => {
    for (const text of ['a', 'ab', 'abc']) {
      response.write(text.at(-1));
      await arrived(buffer, text);
      jest.advanceTimersByTime(1_999);
    }
    response.end();
  });
  expect(await send(endpoint, undefined, buffer)).toStrictEqual({ statusCode: 200, text: 'abc' });
  // An instance that is frozen meanwhile must not wake up to a timer.
  expect(jest.getTimerCount()).toBe(0);
});

/** Starts a server whose certificate nobody has reason to trust. Returns its URL. */
const listenTls = async (listener: http.RequestListener): Promise<string> => {
  const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? '', 'certificate-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost';
  const request = ['req', ...kind.split(' '), '-keyout', key, '-out', cert];
  execFileSync('openssl', request, { stdio: 'ignore' });
  const server = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, listener);
  const { address, close } = await listen(server);
  atEnd(close);
  return `https://${address.replace('127.0.0.1', 'localhost')}`;
};

test('uses TLS if the endpoint does, and rejects an untrusted certificate', async () => {
  const listener = jest.fn<http.RequestListener>((_request, response) => response.end('{}'));
  const url = await listenTls(listener);
  const cause = { message: expect.stringMatching(/certificate/) };
  const connection = connect(new URL(url));
  // The first was opened in advance, the second is opened for its request.
  for (const each of [connection, connection]) {
    await expect(send(url, each)).rejects.toMatchObject({ name: 'TransientError', cause });
  }
  expect(listener).not.toHaveBeenCalled();
});

test.each([
  { url: 'http://h', module: http, options: { host: 'h', servername: 'h', port: 80 } },
  { url: 'https://h', module: https, options: { host: 'h', servername: 'h', port: 443 } },
  { url: 'http://[::1]:81', module: http, options: { host: '::1', servername: '::1', port: 81 } },
])('connects to $url before any request', ({ url, module: { Agent }, options }) => {
  const create = jest
    .spyOn(Agent.prototype, 'createConnection')
    .mockReturnValue(undefined as never);
  connect(new URL(url));
  expect(create.mock.calls).toStrictEqual([[options]]);
});

/**
 * Sets a clock that the test moves. No time passes, and no timer ends: so it is for an instance that
 * was frozen.
 */
const movableClock = () => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
  return (milliseconds: number) => clock.mockReturnValue(Date.now() + milliseconds);
};
/** Returns the ports of the client from which the requests came. */
const ports = () => dynamodb.received.map(({ response }) => response.req.socket.remotePort);

test.each([
  { unusedFor: 2_000, used: true },
  { unusedFor: 2_001, used: false },
  // The clock was set back, and the connection may be of any age.
  { unusedFor: -2_001, used: false },
])(
  'uses a connection again that was idle for at most 2 s: $unusedFor ms',
  async ({ unusedFor, used }) => {
    dynamodb.script(respond(200, '{}'));
    const moveClock = movableClock();
    const { connection, socket } = connecting();
    await once(socket, 'connect');
    const { localPort: first } = socket;
    const closed = once(socket, 'close');
    expect(dynamodb.received).toStrictEqual([]);

    moveClock(unusedFor);
    await send(endpoint, connection);
    expect(ports()[0] === first).toBe(used);
    moveClock(unusedFor);
    await send(endpoint, connection);
    expect(ports()[1] === ports()[0]).toBe(used);
    // A connection that is too old is closed at once.
    if (used) {
      connection.close();
    }
    await closed;
  },
);

test('counts the age of a connection from its last use, and of each for itself', async () => {
  dynamodb.script(respond(200, '{}'));
  const moveClock = movableClock();
  const { connection } = connecting();
  /** Sends so many requests at once. Returns the ports of their connections. */
  const portsOf = async (count: number) => {
    const before = ports().length;
    await Promise.all(Array.from({ length: count }, () => send(endpoint, connection)));
    return ports().slice(before);
  };
  const atFirst = await portsOf(2);
  moveClock(1_500);
  const [kept] = await portsOf(1);
  expect(atFirst).toContain(kept);
  // Of the two, one was used 1.5 s ago, the other 3 s ago.
  moveClock(1_500);
  const atLast = await portsOf(2);
  expect(atLast.filter((port) => atFirst.includes(port))).toStrictEqual([kept]);
});

test('starts even if its first connection fails, and connects again for a request', async () => {
  dynamodb.script(respond(200, '{}'));
  const { connection, socket } = connecting();
  socket.destroy(new Error('connect ECONNREFUSED'));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(await send(endpoint, connection)).toStrictEqual({ statusCode: 200, text: '{}' });
});
