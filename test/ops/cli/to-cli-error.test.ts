import { expect, test } from '@jest/globals';
import { CliError } from '../../../ops/cli/cli-error.ts';
import { hinted, toCliError } from '../../../ops/cli/to-cli-error.ts';

const error = (message: string, more: object = {}): Error =>
  Object.assign(new Error(message), more);

/** An error as AWS or its SDK throws it. */
const named = (name: string, message = 'x'): Error => error(message, { name });

/** An error as Node throws it when a system call fails. */
const failed = (syscall: string, code: string): Error =>
  error(`${syscall} ${code}`, { code, syscall });

const denied = 'User: x is not authorized to perform: a4b:Do on resource: y';
const policy =
  'docs/reference.md#keys-and-stock has the policy of an operator. Or set AWS_PROFILE.';
const network = 'Check the network and AWS_REGION, or that the local run is still running.';
const unexpected = 'This is unexpected. --verbose shows where it comes from.';

test.each([
  {
    causes: [named('AbortError')],
    code: 'interrupted',
    message: 'Interrupted.',
  },
  {
    causes: [error('Region is missing'), error('Region not accepted: region="" …')],
    code: 'unavailable',
    message: 'No AWS region is set.',
    hint: 'Set AWS_REGION, or the region of the profile.',
  },
  {
    causes: [named('ExpiredToken'), named('ExpiredTokenException'), named('RequestExpired')],
    code: 'unavailable',
    message: 'The AWS credentials have expired.',
    hint: 'Sign in again.',
  },
  {
    causes: [named('CredentialsProviderError', 'None.'), named('TokenProviderError', 'None.')],
    code: 'unavailable',
    message: 'No AWS credentials: None.',
    hint: 'Set AWS_PROFILE, or sign in again.',
  },
  {
    causes: [
      named('UnrecognizedClientException'),
      named('InvalidClientTokenId'),
      named('InvalidSignatureException'),
      named('SignatureDoesNotMatch'),
    ],
    code: 'unavailable',
    message: 'AWS rejects these credentials.',
    hint: 'Set AWS_PROFILE to another profile, or sign in again.',
  },
  {
    causes: [named('AccessDeniedException', denied)],
    code: 'unavailable',
    message: `These credentials may not do a4b:Do: ${denied}`,
    hint: policy,
  },
  {
    causes: [named('AccessDenied', 'Not x.')],
    code: 'unavailable',
    message: 'These credentials may not do this: Not x.',
    hint: policy,
  },
  {
    causes: [
      named('ThrottlingException'),
      named('ProvisionedThroughputExceededException'),
      named('RequestLimitExceeded'),
      named('TooManyRequestsException'),
    ],
    code: 'unavailable',
    message: 'AWS throttles these requests, even after several attempts.',
    hint: 'Try again later.',
  },
  {
    causes: [failed('getaddrinfo', 'ENOTFOUND')],
    code: 'unavailable',
    message: 'No response: getaddrinfo ENOTFOUND.',
    hint: network,
  },
  {
    causes: [error('', { code: 'ECONNREFUSED' })],
    code: 'unavailable',
    message: 'No response: ECONNREFUSED.',
    hint: network,
  },
  {
    causes: [
      named('TimeoutError', 'the request has exceeded the configured requestTimeout of 10 ms.'),
      named('TimeoutError', 'the socket timed out after 10 ms'),
    ],
    code: 'unavailable',
    message: 'No response: timed out.',
    hint: network,
  },
  {
    causes: [named('ResourceNotFoundException')],
    code: 'unavailable',
    message: 'The table does not exist.',
    hint: 'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.',
  },
  {
    causes: [error('Number overflow. x')],
    code: 'invalid',
    message: 'DynamoDB cannot store this number: Number overflow. x',
  },
  {
    causes: [error('Number underflow. x')],
    code: 'invalid',
    message: 'DynamoDB cannot store this number: Number underflow. x',
  },
  {
    causes: [error('Attempting to store more than 38 digits')],
    code: 'invalid',
    message: 'DynamoDB cannot store this number: Attempting to store more than 38 digits',
  },
  {
    causes: [error('cdk synth failed.\nwhy\n')],
    code: 'failed',
    message: 'cdk synth failed.\nwhy',
  },
  {
    causes: [error('no such file', { code: 'ENOENT' })],
    code: 'invalid',
    message: 'no such file',
  },
  {
    causes: [failed('open', 'EACCES')],
    code: 'invalid',
    message: 'open EACCES',
  },
  {
    causes: [failed('spawn git', 'EACCES')],
    code: 'unexpected',
    message: 'spawn git EACCES',
    hint: unexpected,
  },
  {
    causes: [error('x is not a function\nat y')],
    code: 'unexpected',
    message: 'x is not a function',
    hint: unexpected,
  },
])('an error is explained: $code, $message', ({ causes, code, message, hint }) => {
  const explained = causes.map((cause) => toCliError(cause));
  expect(explained.map((each) => ({ ...each, message: each.message }))).toEqual(
    causes.map((cause) => ({ name: 'CliError', code, message, details: { hint, cause } })),
  );
});

test.each(['EAI_AGAIN', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT'])(
  '%s means that there is no response',
  (code) => {
    const { message, details } = toCliError(failed('connect', code));
    expect({ message, hint: details.hint }).toEqual({
      message: `No response: connect ${code}.`,
      hint: network,
    });
  },
);

test('a CliError stays as it is', () => {
  const explained = new CliError('usage', 'Wrong.');
  expect(toCliError(explained)).toBe(explained);
});

test('another hint follows the one that an error has, if any', () => {
  const explained = new CliError('conflict', 'No.', { hint: 'First.', cause: 1 });
  expect(hinted(explained, 'Second.', [1])).toMatchObject({
    code: 'conflict',
    message: 'No.',
    details: { hint: 'First. Second.', problems: [1], cause: 1 },
  });
  expect(hinted(new CliError('conflict', 'No.'), 'Only.')).toMatchObject({
    details: { hint: 'Only.' },
  });
});
