import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  InternalServerError,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { mayHaveRun, TransientError } from '../../../functions/dynamodb/failures.ts';

const status = (httpStatusCode: number) => ({ message: 'no', $metadata: { httpStatusCode } });
const unknown = (httpStatusCode: number) =>
  new DynamoDBServiceException({ name: 'New', $fault: 'client', ...status(httpStatusCode) });

test.each([
  { what: 'no readable response', error: new TransientError('no'), expected: true },
  { what: 'an error of DynamoDB', error: new InternalServerError(status(500)), expected: true },
  { what: 'an unknown 503', error: unknown(503), expected: true },
  { what: 'an unknown 400', error: unknown(400), expected: false },
  {
    what: 'a false condition',
    error: new ConditionalCheckFailedException(status(400)),
    expected: false,
  },
  { what: 'throttling', error: new ThrottlingException(status(400)), expected: false },
  { what: 'throttling as a 503', error: new ThrottlingException(status(503)), expected: false },
])('a command may have run after $what: $expected', ({ error, expected }) => {
  expect(mayHaveRun(error)).toBe(expected);
});
