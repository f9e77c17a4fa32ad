// The line that a person reads of each kind of request is in test/local/gateway/requests.test.ts.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { accessLine, isRequestLine, readableLine } from '../../../local/log/access-log.ts';
import { printFailure, printLine } from '../../../local/log/print.ts';

let log: jest.Spied<typeof console.log>;
let error: jest.Spied<typeof console.error>;
beforeEach(() => {
  log = jest.spyOn(console, 'log').mockReturnValue();
  error = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

test('an access log line is JSON whatever a client has sent, with a hyphen for what is unknown', () => {
  const format =
    '{"path":"$context.path","key":"$context.authorizer.keyId","status":"$context.status"}';
  const record = { path: '/a"\\\0\n\u001b\ud800$context.status,$&', 'authorizer.keyId': '"}' };
  expect(accessLine(format, record)).toBe(
    String.raw`{"path":"/a\"\\\u0000\n\u001b\ud800$context.status,$&","key":"\"}","status":"-"}`,
  );
});

test('a readable line begins with the time of day, and says how long the response took', () => {
  const record = {
    requestTimeEpoch: new Date(2026, 10, 22, 9, 5, 7).getTime(),
    httpMethod: 'PATCH',
    path: '/staging/v1/inventory/1',
    status: 200,
    responseLatency: 12,
    stage: 'staging',
    'authorizer.keyId': 'b5f1',
  };
  const line = '09:05:07 PATCH /staging/v1/inventory/1 200 12 ms key b5f1';
  expect(readableLine(record)).toBe(line);
});

test.each([
  { line: '{"level":"INFO","requestId":"1","operation":"listInventory"}', isRequest: true },
  { line: '{"level":"INFO","requestId":"1","message":"of console.log"}', isRequest: false },
  { line: '{"level":"ERROR","requestId":"1"}', isRequest: false },
  { line: 'null', isRequest: false },
  { line: 'SyntaxError', isRequest: false },
])('$line is the line of a request: $isRequest', ({ line, isRequest }) => {
  expect(isRequestLine(line)).toBe(isRequest);
});

test('what is printed has each control character escaped as in JSON, and all other text as it is', () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => /\p{Cc}/u.test(character) && !/[\t\n]/.test(character),
  );
  const others = 'tab\t, line feed\n, ünï, \u2028, 😀';
  printLine(controls.join('') + others);
  const escaped = controls.map(
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  expect(escaped).toHaveLength(63);
  expect(log.mock.calls).toStrictEqual([[escaped.join('') + others]]);
});

test('a failure is a line, or an error with its stack and its cause, without control characters', () => {
  printFailure('The response was cut:\x9b');
  const cause = new Error('because of \x1b[2J');
  printFailure(new Error('it failed', { cause }));
  expect(error.mock.calls).toStrictEqual([
    ['The response was cut:\\u009b'],
    [
      expect.stringMatching(
        /^Error: it failed\n +at .*\[cause\]: Error: because of \\u001b\[2J\n +at /s,
      ),
    ],
  ]);
});
