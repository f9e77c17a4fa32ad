import { CliError, type ErrorCode } from './cli-error.ts';

type Meaning = [pattern: RegExp, message: string, hint?: string | undefined, code?: ErrorCode];

/** What errors of these names, codes or messages mean, and what to do about them; $ stands for their own message. */
const meanings: Meaning[] = [
  [/^AbortError$/, 'Interrupted.', undefined, 'interrupted'],
  [/^Region is missing$/, 'No AWS region is set.', 'Set AWS_REGION, or the region of the profile.'],
  [/^(ExpiredToken|RequestExpired)/, 'The AWS credentials have expired.', 'Sign in again.'],
  [/^(Credentials|Token)ProviderError$/, 'No AWS credentials: $', 'Set AWS_PROFILE, or sign in again.'],
  [
    /^(UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch)/,
    'AWS rejects these credentials.',
    'Set AWS_PROFILE to another profile, or sign in again.',
  ],
  [/^AccessDenied/, 'These credentials may not do this: $', 'Set AWS_PROFILE to another profile.'],
  [
    /^(Throttling|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests)/,
    'AWS throttles these requests, even after several attempts.',
    'Try again later.',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|TimeoutError)$/,
    'No response: $.',
    'Check the network and AWS_REGION; of a local run, whether it still runs.',
  ],
  [/^TransientError$/, '$', 'Try again later.'],
  [
    /^ResourceNotFoundException$/,
    'The table does not exist.',
    'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.',
  ],
  [/^(ENOENT|EACCES|EISDIR|ENOTDIR|EROFS|ENOSPC)$/, '$', undefined, 'invalid'],
];

const unexpected: Meaning = [/^/, '$', 'Unexpected. --verbose shows where it comes from.', 'unexpected'];

/** The error that tells an operator what to do about any other error. */
export const explain = (cause: unknown): CliError => {
  if (cause instanceof CliError) {
    return cause;
  }
  const { name, code = '', message } = cause as NodeJS.ErrnoException;
  const [reason = ''] = (message || code).replace(/^.*requestTimeout.*$/, 'timed out').split('\n');
  const known = meanings.find(([pattern]) => [name, code, reason].some((text) => pattern.test(text)));
  const [, meaning, hint, kind = 'unavailable'] = known ?? unexpected;
  const explained = meaning.replace('$', () => reason);
  return new CliError(kind, explained, { hint, cause });
};
