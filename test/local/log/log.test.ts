import { afterEach, expect, jest, test } from '@jest/globals';
import {
  accessLine,
  errorCodeIn,
  isRequestLine,
  readableLine,
} from '../../../local/log/access-log.ts';
import { printFailure, printLine } from '../../../local/log/print.ts';

const format =
  '{"path":"$context.path","key":"$context.authorizer.keyId","status":"$context.status"}';

test.each([
  { record: { path: '/a', status: 404 }, line: '{"path":"/a","key":"-","status":"404"}' },
  {
    record: { path: '/a"\\\0\n\u001b', 'authorizer.keyId': '"}' },
    line: '{"path":"/a\\"\\\\\\u0000\\n\\u001b","key":"\\"}","status":"-"}',
  },
  {
    record: { path: '$context.status,$&\ud800' },
    line: '{"path":"$context.status,$&\\ud800","key":"-","status":"-"}',
  },
])('the access log line of $record is $line', ({ record, line }) => {
  expect(accessLine(format, record)).toBe(line);
});

// test/local/gateway/requests.test.ts has the line of each kind of response, without its times.
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
  { body: '{"code":"pet_not_found"}', code: 'pet_not_found' },
  { body: 'null', code: undefined },
  { body: '', code: undefined },
])('the code of the body $body is $code', ({ body, code }) => {
  expect(errorCodeIn(body)).toBe(code);
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

const log = jest.spyOn(console, 'log').mockReturnValue();
const error = jest.spyOn(console, 'error').mockReturnValue();
afterEach(() => void jest.clearAllMocks());

/** Every control character, from C0 and C1, but the two that a text may have. */
const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => /\p{Cc}/u.test(character) && !/[\t\n]/.test(character),
);

test('what is printed has each control character escaped as in JSON', () => {
  printLine(controls.join(''));
  const [[printed]] = log.mock.calls as [[string]];
  expect(printed).toMatch(/^(\\u00[0-9a-f]{2}){63}$/);
  expect(JSON.parse(`"${printed}"`)).toBe(controls.join(''));
});

test('what is printed has all other text as it is', () => {
  const text = 'tab\t, line feed\n, ünï, \u2028, 😀';
  printLine(text);
  expect(log.mock.calls).toStrictEqual([[text]]);
});

test('a failure is printed with its stack and its cause, and no control characters', () => {
  const cause = new Error('because of \x1b[2J');
  printFailure(new Error('it failed', { cause }));
  const [[printed]] = error.mock.calls as [[string]];
  expect(printed).toMatch(/^Error: it failed\n +at .*\[cause\]: Error: because of /s);
  expect(printed).not.toContain('\x1b');
});

test('a failure that is a line is printed as that line', () => {
  printFailure('The response was cut:\x9b');
  expect(error.mock.calls).toStrictEqual([['The response was cut:\\u009b']]);
});
