import { expect, test } from '@jest/globals';
import { CliError } from '../../../ops/cli/cli-error.ts';
import { hinted, toCliError } from '../../../ops/cli/to-cli-error.ts';

const error = (message: string, more: object = {}): Error =>
  Object.assign(new Error(message), more);

const named = (name: string, message = 'x'): Error => error(message, { name });

const failed = (code: string, syscall: string): Error =>
  error(`${syscall} ${code}`, { code, syscall });

const network = 'Check the network and AWS_REGION, or that the local run is still running.';
const another = 'Set AWS_PROFILE to another profile, or sign in again.';
const policy =
  'docs/reference.md#keys-and-stock has the policy of an operator. Or set AWS_PROFILE.';
const throttled = 'AWS throttles these requests, even after several attempts.';
const noTable = 'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.';
const region = 'Set AWS_REGION, or the region of the profile.';
const later = 'Try again later.';
const rejects = 'AWS rejects these credentials.';

test.each<[Error, code: string, message: string, hint?: string]>([
  [named('AbortError'), 'interrupted', 'Interrupted.'],
  [error('Region is missing'), 'unavailable', 'No AWS region is set.', region],
  [error('Region not accepted: region="" …'), 'unavailable', 'No AWS region is set.', region],
  [named('ExpiredToken'), 'unavailable', 'The AWS credentials have expired.', 'Sign in again.'],
  [named('RequestExpired'), 'unavailable', 'The AWS credentials have expired.', 'Sign in again.'],
  [
    named('CredentialsProviderError', 'None.'),
    'unavailable',
    'No AWS credentials: None.',
    'Set AWS_PROFILE, or sign in again.',
  ],
  [
    named('TokenProviderError', 'None.'),
    'unavailable',
    'No AWS credentials: None.',
    'Set AWS_PROFILE, or sign in again.',
  ],
  [named('UnrecognizedClientException'), 'unavailable', rejects, another],
  [named('InvalidClientTokenId'), 'unavailable', rejects, another],
  [named('InvalidSignatureException'), 'unavailable', rejects, another],
  [named('SignatureDoesNotMatch'), 'unavailable', rejects, another],
  [
    named('AccessDeniedException', 'User: x is not authorized to perform: a4b:Do on resource: y'),
    'unavailable',
    'These credentials may not do a4b:Do: ' +
      'User: x is not authorized to perform: a4b:Do on resource: y',
    policy,
  ],
  [
    named('AccessDenied', 'Not x.'),
    'unavailable',
    'These credentials may not do this: Not x.',
    policy,
  ],
  [named('ThrottlingException'), 'unavailable', throttled, later],
  [named('ProvisionedThroughputExceededException'), 'unavailable', throttled, later],
  [named('RequestLimitExceeded'), 'unavailable', throttled, later],
  [named('TooManyRequestsException'), 'unavailable', throttled, later],
  [
    error('getaddrinfo ENOTFOUND sts.x', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
    'unavailable',
    'No response: getaddrinfo ENOTFOUND sts.x.',
    network,
  ],
  [
    failed('EAI_AGAIN', 'getaddrinfo'),
    'unavailable',
    'No response: getaddrinfo EAI_AGAIN.',
    network,
  ],
  [failed('ECONNREFUSED', 'connect'), 'unavailable', 'No response: connect ECONNREFUSED.', network],
  [failed('EHOSTUNREACH', 'connect'), 'unavailable', 'No response: connect EHOSTUNREACH.', network],
  [failed('ENETUNREACH', 'connect'), 'unavailable', 'No response: connect ENETUNREACH.', network],
  [failed('ETIMEDOUT', 'connect'), 'unavailable', 'No response: connect ETIMEDOUT.', network],
  [error('', { code: 'ECONNREFUSED' }), 'unavailable', 'No response: ECONNREFUSED.', network],
  [
    named('TimeoutError', 'the request has exceeded the configured requestTimeout of 10 ms.'),
    'unavailable',
    'No response: timed out.',
    network,
  ],
  [
    named('TimeoutError', 'the socket timed out after 10 ms'),
    'unavailable',
    'No response: timed out.',
    network,
  ],
  [
    named('TransientError', 'DynamoDB failed.'),
    'unavailable',
    'DynamoDB failed.',
    `${later} --verbose shows the cause.`,
  ],
  [named('ResourceNotFoundException'), 'unavailable', 'The table does not exist.', noTable],
  [error('Number overflow. x'), 'invalid', 'DynamoDB cannot store this number: Number overflow. x'],
  [
    error('Number underflow. x'),
    'invalid',
    'DynamoDB cannot store this number: Number underflow. x',
  ],
  [
    error('Attempting to store more than 38 digits'),
    'invalid',
    'DynamoDB cannot store this number: Attempting to store more than 38 digits',
  ],
  [error('cdk synth failed.\nwhy\n'), 'failed', 'cdk synth failed.\nwhy'],
  [error('no such file', { code: 'ENOENT' }), 'invalid', 'no such file'],
  [failed('EACCES', 'open'), 'invalid', 'open EACCES'],
  [
    failed('EACCES', 'spawn git'),
    'unexpected',
    'spawn git EACCES',
    'This is unexpected. --verbose shows where it comes from.',
  ],
  [
    error('x is not a function\nat y'),
    'unexpected',
    'x is not a function',
    'This is unexpected. --verbose shows where it comes from.',
  ],
])('%s is explained', (cause, code, message, ...[hint]) => {
  const { code: known, message: explained, details } = toCliError(cause);
  expect({ code: known, message: explained, details }).toEqual({
    code,
    message,
    details: { hint, cause },
  });
});

test('a CliError stays as it is', () => {
  const explained = new CliError('usage', 'Wrong.');
  expect(toCliError(explained)).toBe(explained);
});

test('another hint follows the one that an error has', () => {
  const explained = new CliError('conflict', 'No.', { hint: 'First.', cause: 1 });
  expect(hinted(explained, 'Second.', [1])).toMatchObject({
    code: 'conflict',
    message: 'No.',
    details: { hint: 'First. Second.', problems: [1], cause: 1 },
  });
});

test('a hint is given to an error that has none', () => {
  expect(hinted(new CliError('conflict', 'No.'), 'Only.')).toMatchObject({
    details: { hint: 'Only.' },
  });
});
