import { expect, test } from '@jest/globals';
import { isUnsettled, TransientError } from '../../../functions/dynamodb/failures.ts';

test.each([
  // There was no connection.
  ['ECONNREFUSED', false],
  ['EAI_AGAIN', false],
  ['ENOTFOUND', false],
  // There was one, or there may have been.
  ['ECONNRESET', true],
  ['EPIPE', true],
  ['ETIMEDOUT', true],
  [undefined, true],
])('a request that ended with %s may have been received: %s', (code, expected) => {
  const cause = Object.assign(new Error('why'), { code });
  expect(isUnsettled(new TransientError('No response.', { cause }))).toBe(expected);
});
