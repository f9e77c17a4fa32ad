// What a client gets that sends something else than a request.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, jest, test } from '@jest/globals';
import { clientServer } from '../../../local/gateway/client-server.ts';
import { serve } from '../../support/http/serve.ts';

afterEach(() => void jest.restoreAllMocks());

test.each([
  {
    what: 'garbage',
    sent: 'garbage\r\n\r\n',
    status: '400 Bad Request',
    code: 'bad_request',
    message: expect.stringMatching(/^This is no request that Node can read: Parse Error/),
  },
  {
    what: 'no Host',
    sent: 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    status: '403 Forbidden',
    code: 'forbidden',
    message: expect.stringMatching(/^The Host "" is refused: .* localhost, /),
  },
  {
    what: 'more headers than API Gateway takes',
    sent: `GET /a HTTP/1.1\r\nHost: localhost\r\nA: ${'a'.repeat(11_000)}\r\n\r\n`,
    status: '431 Request Header Fields Too Large',
    code: 'request_header_fields_too_large',
    message: 'The headers have more than 10240 bytes.',
  },
])(
  'to $what: $status, a sentence, and a line of the log',
  async ({ what: _, sent, status, ...error }) => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const url = await serve(clientServer((_message, response) => response.end()));
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
    socket.write(sent);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(`HTTP/1.1 ${status}\r\n`);
    const number = Number.parseInt(status, 10);
    expect(JSON.parse(body)).toStrictEqual({ status: number, ...error });
    expect(printed.mock.calls).toStrictEqual([[`${number}: ${JSON.parse(body).message}`]]);
  },
);

// After Node's five seconds, a busy run would cut off the next request, which it has not read yet.
test('a connection may be idle as long as its client likes', () => {
  expect(clientServer(() => {}).keepAliveTimeout).toBe(0);
});
