import { expect, jest, test } from '@jest/globals';
import { logFailures } from '../../../local/gateway/access-log.ts';

test.each([
  [
    0,
    '{"timestamp":"","level":"INFO","requestId":"1","extendedRequestId":"2","operation":"listInventory"}',
  ],
  [1, '{"timestamp":"","level":"INFO","requestId":"1","message":"of console.log"}'],
  [1, '{"timestamp":"","level":"ERROR","requestId":"1","extendedRequestId":"2"}'],
  [1, 'SyntaxError'],
])('a line that a function logs is shown %i times: %s', (times, line) => {
  const print = jest.spyOn(console, 'error').mockReturnValue();
  logFailures(line);
  expect(print.mock.calls).toEqual(Array(times).fill([line]));
  print.mockRestore();
});
