import { CliError } from './cli-error.ts';

/** The message and the hint for errors of these names or codes. */
const unavailable: [names: RegExp, explanation: (message: string) => [message: string, hint: string]][] = [
  [
    /^(ExpiredToken|ExpiredTokenException|RequestExpired)$/,
    () => ['The AWS credentials have expired.', 'Sign in again.'],
  ],
  [
    /^(CredentialsProviderError|TokenProviderError)$/,
    (message) => [`No AWS credentials: ${message}`, 'Set AWS_PROFILE, or sign in again.'],
  ],
  [
    /^(UnrecognizedClientException|InvalidClientTokenId|InvalidSignatureException|SignatureDoesNotMatch)$/,
    () => ['AWS rejects these credentials.', 'Set AWS_PROFILE to another profile, or sign in again.'],
  ],
  [
    /^(AccessDenied|AccessDeniedException)$/,
    (message) => [`These credentials may not do this: ${message}`, 'Set AWS_PROFILE to another profile.'],
  ],
  [
    /^(Throttling|ThrottlingException|ProvisionedThroughputExceededException|RequestLimitExceeded|TooManyRequestsException)$/,
    () => ['AWS throttles these requests, also after several tries.', 'Try again later.'],
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|TimeoutError)$/,
    (message) => [
      `No response: ${message.replace(/^.*requestTimeout.*$/, 'timed out')}.`,
      'Check the network and AWS_REGION; of a local run, whether it still runs.',
    ],
  ],
  [
    /^ResourceNotFoundException$/,
    () => ['The table is not there.', 'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.'],
  ],
];

/** The error that tells an operator what to do about any other error. */
export const explain = (error: unknown): CliError => {
  if (error instanceof CliError) {
    return error;
  }
  const { name, code = '', message } = error as NodeJS.ErrnoException;
  const [firstLine = ''] = (message || code).split('\n');
  if (firstLine === 'Region is missing') {
    return new CliError('unavailable', 'No AWS region is set.', {
      hint: 'Set AWS_REGION, or the region of the profile.',
    });
  }
  const [, explanation] = unavailable.find(([names]) => names.test(name) || names.test(code)) ?? [];
  if (explanation) {
    const [explained, hint] = explanation(firstLine);
    return new CliError('unavailable', explained, { hint, cause: error });
  }
  if (/^(ENOENT|EACCES|EISDIR|ENOTDIR|EROFS|ENOSPC)$/.test(code)) {
    return new CliError('invalid', firstLine, { cause: error });
  }
  return new CliError('unexpected', firstLine, { hint: 'Unexpected; --verbose shows where.', cause: error });
};
