// What a client gets that sends something else than a request, alone or after requests.
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { clientServer } from '../../../local/gateway/client-server.ts';
import { listen } from '../../../local/shared/local-server.ts';
import { atEnd } from '../../support/process/at-end.ts';

/** Answers with the body of a request, a while after all of it has arrived. */
const echo: RequestListener = async (message, response) => {
  const body = await text(message).catch(() => undefined);
  await sleep(50);
  response.end(` ${body};`);
};

/** Sends text to a server. Returns the status and body of each response until it hangs up. */
const responsesTo = async (sent: string, later?: string) => {
  const { port, close } = await listen(clientServer(echo));
  atEnd(close);
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => {});
  socket.write(sent);
  let received = '';
  socket.on('data', (data) => (received += data));
  if (later !== undefined) {
    await once(socket, 'data');
    socket.write(later);
  }
  await once(socket, 'close');
  const responses = received.matchAll(/HTTP\/1\.1 (\d{3}) .*?\r\n\r\n( \w+;)?/gs);
  return Array.from(responses, ([, status, body = '']) => status + body);
};

const post = (body: string, length = body.length): string =>
  `POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`;
const chunked = 'POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';

test.each([
  { what: 'garbage alone', sent: 'garbage\r\n\r\n', got: ['400'] },
  {
    what: 'garbage after a response',
    sent: post('a'),
    later: 'garbage\r\n\r\n',
    got: ['200 a;', '400'],
  },
  {
    what: 'too large a header',
    sent: `GET /a HTTP/1.1\r\nA: ${'a'.repeat(11_000)}\r\n\r\n`,
    got: ['431'],
  },
])('to $what: $got', async ({ sent, later, got }) => {
  expect(await responsesTo(sent, later)).toStrictEqual(got);
});

test.each([
  { what: 'a body longer than its length', sent: post('abc+++\r\n\r\n', 3) },
  { what: 'garbage after two requests', sent: `${post('a')}${post('b')}garbage\r\n\r\n` },
  { what: 'garbage within a request', sent: `${chunked}xyz\r\n\r\n` },
  { what: 'garbage within the second request', sent: `${post('a')}${chunked}xyz\r\n\r\n` },
])('$what, while a request has no response yet, gets no 4xx in its place', async ({ sent }) => {
  expect(await responsesTo(sent)).toStrictEqual([]);
});
