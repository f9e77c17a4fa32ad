import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { CliError, reportError } from '../../../ops/cli/errors.ts';

/** Returns what is printed about an error. */
const printed = (error: unknown, json = false): string => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = new PassThrough({ encoding: 'utf8' });
  reportError({ stdin, stdout, stderr, env: {} }, error, json);
  return stderr.read();
};

/** An error as the SDK throws it for a response of AWS. */
const ofAws = (name: string, message: string): Error =>
  Object.assign(new Error(message), { name, $metadata: {} });

/** An error as Node throws it when a system call fails. */
const ofNode = (message: string, code: string): Error =>
  Object.assign(new Error(message), { code });

const region = 'Set AWS_REGION, or a region in the profile.';
const signIn =
  'Set AWS_PROFILE, or sign in again; aws sts get-caller-identity shows as whom. For a profile with ' +
  'MFA: eval "$(aws configure export-credentials --format env)"';
const policy = 'docs/settings.md#permissions has the policy that operators need.';
const later = 'Several attempts were throttled. Try again later.';
const noTable =
  'The table does not exist. Check AWS_REGION and AWS_PROFILE. If it was deleted, deploy nothing: see docs/runbook.md#a-table-was-deleted';
const network =
  'Check the network, AWS_REGION and HTTPS_PROXY, or whether the local run is still running.';
const certificate =
  'If a proxy inspects what you send, set NODE_EXTRA_CA_CERTS to a file with its certificate.';

test.each([
  [new CliError('One.\nTwo.'), 'One.\nTwo.'],
  // A message about a file may begin like one of the SDK.
  [new CliError('AccessDenied is no status.'), 'AccessDenied is no status.'],
  [new Error('Region is missing'), `Region is missing\n${region}`],
  [new Error('Region not accepted: region=""'), `Region not accepted: region=""\n${region}`],
  ...[
    'CredentialsProviderError',
    'TokenProviderError',
    'ExpiredToken',
    'ExpiredTokenException',
    'RequestExpired',
    'UnrecognizedClientException',
    'InvalidClientTokenId',
    'InvalidSignatureException',
    'SignatureDoesNotMatch',
  ].map((name): [Error, string] => [ofAws(name, 'No.'), `No.\n${signIn}`]),
  ...['AccessDenied', 'AccessDeniedException'].map((name): [Error, string] => [
    ofAws(name, 'No.'),
    `No.\n${policy}`,
  ]),
  ...[
    'ThrottlingException',
    'Throttling',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'TooManyRequestsException',
  ].map((name): [Error, string] => [ofAws(name, 'Too many.'), `Too many.\n${later}`]),
  [ofAws('ResourceNotFoundException', 'No table.'), `No table.\n${noTable}`],
  [ofAws('ValidationException', 'Not a number.'), 'Not a number.'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].map(
    (code): [Error, string] => [ofNode(`connect ${code}`, code), `connect ${code}\n${network}`],
  ),
  // Node tries several addresses, and joins their errors into one without a message.
  [ofNode('', 'ECONNREFUSED'), `ECONNREFUSED\n${network}`],
  [
    ofNode('Failed to establish tunnel', 'ERR_PROXY_TUNNEL'),
    'Failed to establish tunnel\nCheck HTTPS_PROXY and NO_PROXY.',
  ],
  ...[
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'CERT_HAS_EXPIRED',
  ].map((code): [Error, string] => [ofNode('No.', code), `No.\n${certificate}`]),
  [ofAws('TimeoutError', 'It took 10 s.'), `It took 10 s.\n${network}`],
  [ofNode('ENOENT: no such file, open x', 'ENOENT'), 'ENOENT: no such file, open x'],
])('%s is explained', (error, message) => {
  expect(printed(error)).toBe(`petstore: ${message}\n`);
  expect(printed(error, true)).toBe(`${JSON.stringify({ error: { message } })}\n`);
});

test('an error that nobody expected is printed with its stack', () => {
  const error = new TypeError('x is not a function');
  expect(printed(error)).toBe(`petstore: ${error.stack}\n`);
  expect(error.stack).toMatch(/^TypeError: x is not a function\n {4}at /);
});
