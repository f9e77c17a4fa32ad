// The line that a person reads of each kind of request is in test/local/gateway/exchanges.txt.
import { expect, test } from '@jest/globals';
import { accessLine, isRequestLine, readableLine } from '../../../local/log/access-log.ts';

test('an access log line is JSON whatever a client has sent, with a hyphen for what is unknown', () => {
  const format =
    '{"path":"$context.path","key":"$context.authorizer.keyId","status":"$context.status"}';
  const record = { path: '/a"\\\0\n\u001b\ud800$context.status,$&', 'authorizer.keyId': '"}' };
  expect(accessLine(format, record)).toBe(
    String.raw`{"path":"/a\"\\\u0000\n\u001b\ud800$context.status,$&","key":"\"}","status":"-"}`,
  );
  // A response within half a millisecond.
  expect(accessLine('$context.responseLatency', { responseLatency: 0 })).toBe('0');
});

test('a readable line begins with the time of day, and says how long the response took', () => {
  const record = {
    requestTimeEpoch: new Date(2026, 10, 22, 9, 5, 7).getTime(),
    httpMethod: 'PATCH',
    path: '/staging/v1/inventory/1',
    status: 200,
    responseLatency: 12,
    'authorizer.keyId': 'b5f1',
  };
  const line = '09:05:07 PATCH /staging/v1/inventory/1 200 12 ms key b5f1';
  expect(readableLine(record)).toBe(line);
});

// The local run leaves out these lines of the functions, because its gateway prints one of its own.
test.each([
  { line: '{"level":"INFO","requestId":"1","operation":"listInventory"}', isRequest: true },
  { line: '{"level":"INFO","requestId":"1","message":"of console.log"}', isRequest: false },
  { line: '{"level":"ERROR","requestId":"1"}', isRequest: false },
  { line: 'null', isRequest: false },
  { line: 'SyntaxError', isRequest: false },
])('$line only says that there was a request: $isRequest', ({ line, isRequest }) => {
  expect(isRequestLine(line)).toBe(isRequest);
});
