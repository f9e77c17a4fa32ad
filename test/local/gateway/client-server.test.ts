// What a client gets that sends something else than a request, alone or after requests.
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
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
const responsesTo = async (sent: string, then: (server: Server) => void = () => {}) => {
  const server = clientServer(echo);
  const { port, close } = await listen(server);
  atEnd(close);
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  then(server);
  const received = await text(socket);
  const responses = received.matchAll(/HTTP\/1\.1 (\d{3}) .*?\r\n\r\n( \w+;)?/gs);
  return Array.from(responses, ([, status, body = '']) => status + body);
};

const post = (body: string, length = body.length): string =>
  `POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`;
const chunked = 'POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';

test.each([
  {
    what: 'a body longer than its length',
    sent: post('abc+++\r\n\r\n', 3),
    got: ['200 abc;', '400'],
  },
  {
    what: 'garbage after two requests',
    sent: `${post('a')}${post('b')}garbage\r\n\r\n`,
    got: ['200 a;', '200 b;', '400'],
  },
  { what: 'garbage alone', sent: 'garbage\r\n\r\n', got: ['400'] },
  { what: 'garbage within a request', sent: `${chunked}xyz\r\n\r\n`, got: ['400'] },
  {
    what: 'garbage within the second request',
    sent: `${post('a')}${chunked}xyz\r\n\r\n`,
    got: ['200 a;', '400'],
  },
  {
    what: 'too large a header',
    sent: `GET /a HTTP/1.1\r\nA: ${'a'.repeat(11_000)}\r\n\r\n`,
    got: ['431'],
  },
])('to $what: $got', async ({ sent, got }) => {
  expect(await responsesTo(sent)).toStrictEqual(got);
});

test('to a request that takes too long: a 408, after the answer to the one before', async () => {
  const timeOut = async (server: Server): Promise<void> => {
    const [message] = await once(server, 'request');
    await once(message, 'end');
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', late, message.socket as Socket);
  };
  const sent = `${post('a')}POST /a HTTP/1.1\r\n`;
  expect(await responsesTo(sent, timeOut)).toStrictEqual(['200 a;', '408']);
});
