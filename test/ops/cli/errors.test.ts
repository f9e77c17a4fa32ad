import { expect, test } from '@jest/globals';
import { CliError, reportError } from '../../../ops/cli/errors.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';

/** Returns what is printed about an error. */
const printed = (error: unknown, json = false): string => {
  let shown = '';
  const stderr = { write: (text: string) => (shown += text) };
  reportError({ stderr } as Terminal, error, json);
  return shown;
};

/** An error as the SDK throws it for a response of AWS. */
const ofAws = (name: string): Error => Object.assign(new Error('No.'), { name, $metadata: {} });

/** An error as Node throws it when a system call fails. */
const ofNode = (code: string): Error => Object.assign(new Error('No.'), { code });

/** What to do about errors. */
const advice: Record<string, Error[]> = {
  'Set AWS_REGION, or a region in the profile.': [
    new Error('Region is missing'),
    new Error('Region not accepted: region=""'),
  ],
  'Set AWS_PROFILE, or sign in again; aws sts get-caller-identity shows as whom. For a profile with MFA: eval "$(aws configure export-credentials --format env)"':
    [
      'CredentialsProviderError',
      'TokenProviderError',
      'ExpiredToken',
      'ExpiredTokenException',
      'RequestExpired',
      'UnrecognizedClientException',
      'InvalidClientTokenId',
      'InvalidSignatureException',
      'SignatureDoesNotMatch',
    ].map(ofAws),
  'docs/settings.md#permissions has the policy that operators need.': [
    ofAws('AccessDenied'),
    ofAws('AccessDeniedException'),
  ],
  'Several attempts were throttled. Try again later.': [
    'ThrottlingException',
    'Throttling',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'TooManyRequestsException',
  ].map(ofAws),
  'The table does not exist. Check AWS_REGION and AWS_PROFILE. If it was deleted, deploy nothing: see docs/runbook.md#a-table-was-deleted':
    [ofAws('ResourceNotFoundException')],
  'Check the network, AWS_REGION and HTTPS_PROXY, or whether the local run is still running.': [
    ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].map(
      ofNode,
    ),
    ofAws('TimeoutError'),
  ],
  'Check HTTPS_PROXY and NO_PROXY.': [ofNode('ERR_PROXY_TUNNEL')],
  'If a proxy inspects what you send, set NODE_EXTRA_CA_CERTS to a file with its certificate.': [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'CERT_HAS_EXPIRED',
  ].map(ofNode),
};

test.each(Object.entries(advice))('%s', (whatToDo, errors) => {
  const lines = errors.map((error) => printed(error));
  expect(lines).toStrictEqual(errors.map(({ message }) => `petstore: ${message}\n${whatToDo}\n`));
});

test('an error without advice, or whose message says what to do, is printed as it is', () => {
  // A message about a file may begin like an error of AWS.
  const error = new CliError('AccessDenied is no status.\nNothing was written.');
  expect(printed(error)).toBe('petstore: AccessDenied is no status.\nNothing was written.\n');
  expect(printed(error, true)).toBe(
    '{"error":{"message":"AccessDenied is no status.\\nNothing was written."}}\n',
  );
  expect(printed(ofAws('ValidationException'))).toBe('petstore: No.\n');
  expect(printed(ofNode('ENOENT'))).toBe('petstore: No.\n');
});

test('an error without a message is told by its code', () => {
  // Node tries several addresses, and joins their errors into one.
  const error = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  expect(printed(error)).toMatch(/^petstore: ECONNREFUSED\nCheck the network/);
});

test('an error that nobody expected is printed with its stack', () => {
  const error = new TypeError('x is not a function');
  expect(printed(error)).toBe(`petstore: ${error.stack}\n`);
  expect(error.stack).toMatch(/^TypeError: x is not a function\n {4}at /);
});
