import { CliError } from './cli-error.ts';

/** What errors of these names or codes mean, and what to do about them; $ stands for their own message. */
const unavailable: [names: RegExp, message: string, hint: string][] = [
  [/^(ExpiredToken|ExpiredTokenException|RequestExpired)$/, 'The AWS credentials have expired.', 'Sign in again.'],
  [/^(CredentialsProviderError|TokenProviderError)$/, 'No AWS credentials: $', 'Set AWS_PROFILE, or sign in again.'],
  [
    /^(UnrecognizedClientException|InvalidClientTokenId|InvalidSignatureException|SignatureDoesNotMatch)$/,
    'AWS rejects these credentials.',
    'Set AWS_PROFILE to another profile, or sign in again.',
  ],
  [
    /^(AccessDenied|AccessDeniedException)$/,
    'These credentials may not do this: $',
    'Set AWS_PROFILE to another profile.',
  ],
  [
    /^(Throttling|ThrottlingException|ProvisionedThroughputExceededException|RequestLimitExceeded|TooManyRequestsException)$/,
    'AWS throttles these requests, even after several attempts.',
    'Try again later.',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|TimeoutError)$/,
    'No response: $.',
    'Check the network and AWS_REGION; of a local run, whether it still runs.',
  ],
  [
    /^ResourceNotFoundException$/,
    'The table is not there.',
    'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.',
  ],
];

/** The error that tells an operator what to do about any other error. */
export const explain = (cause: unknown): CliError => {
  if (cause instanceof CliError) {
    return cause;
  }
  const { name, code = '', message } = cause as NodeJS.ErrnoException;
  const [firstLine = ''] = (message || code).replace(/^.*requestTimeout.*$/, 'timed out').split('\n');
  if (firstLine === 'Region is missing') {
    return new CliError('unavailable', 'No AWS region is set.', {
      hint: 'Set AWS_REGION, or the region of the profile.',
    });
  }
  const [, meaning, hint] = unavailable.find(([names]) => names.test(name) || names.test(code)) ?? [];
  if (meaning && hint) {
    return new CliError(
      'unavailable',
      meaning.replace('$', () => firstLine),
      { hint, cause },
    );
  }
  if (/^(ENOENT|EACCES|EISDIR|ENOTDIR|EROFS|ENOSPC)$/.test(code)) {
    return new CliError('invalid', firstLine, { cause });
  }
  return new CliError('unexpected', firstLine, { hint: 'Unexpected; --verbose shows where.', cause });
};
