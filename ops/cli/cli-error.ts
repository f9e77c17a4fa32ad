import { InvalidArgumentError } from 'commander';

/** The exit code of a failed command, by the `code` that `--json` prints for the failure. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  invalid: 3,
  conflict: 4,
  not_found: 5,
  unavailable: 6,
  not_confirmed: 7,
  failed: 8,
  interrupted: 130,
} as const;

export type ErrorCode = keyof typeof exitCodes;

interface Details extends ErrorOptions {
  /** What to do about the error. A command in it comes last and can be pasted as it is. */
  hint?: string | undefined;
  /**
   * What is wrong with each entry, for `--json`. Without `--json`, every problem has been printed
   * already.
   */
  problems?: unknown[] | undefined;
}

/**
 * An error that ends a command. Its message tells the operator what is wrong, in a sentence or two.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details);
    this.code = code;
    this.details = details;
  }
}

/** Returns a function for `catch` that throws the error again, as a CliError with one more hint. */
export const withHint = (more: string, problems?: unknown[]) => (error: unknown) => {
  const { code, message, details, cause } = toCliError(error);
  throw new CliError(code, message, {
    hint: [details.hint, more].filter(Boolean).join(' '),
    problems,
    cause,
  });
};

/** Quotes an argument, if necessary, for a shell command that operators can paste. */
export const shellQuoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Rejects the value of an option or argument. Commander adds its name to the reason. */
export const invalidValue = (reason: string): never => {
  throw new InvalidArgumentError(reason);
};

/**
 * Reads the path of a file or directory, or `-`. Rejects '', which an unset variable leaves, and a
 * forgotten value.
 */
export const parsePath = (text: string): string =>
  /^(--.*)?$/.test(text) ? invalidValue('It must be a path.') : text;

type Meaning = [pattern: RegExp, message: string, hint?: string | undefined, code?: ErrorCode];

const rejected =
  /^(UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch)/;
const throttled =
  /^(Throttling|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests)/;
const silent =
  /^(ENOTFOUND|EAI_AGAIN|(ECONN|EHOST|ENET|EADDR)[A-Z]+|ETIMEDOUT|EPIPE|EPROTO|TimeoutError)$/;
const noRegion = /^Region (is missing$|not accepted: region="")/;
const noTable = /^ResourceNotFoundException$/;

/**
 * What to say about an error whose name, code or message matches a pattern. $ stands for its own
 * message.
 */
const meanings: Meaning[] = [
  [/^AbortError$/, 'Interrupted.', undefined, 'interrupted'],
  [noRegion, 'No AWS region is set.', 'Set AWS_REGION, or the region of the profile.'],
  [/^(ExpiredToken|RequestExpired)/, 'The AWS credentials have expired.', 'Sign in again.'],
  [
    /^(Credentials|Token)ProviderError$/,
    'No AWS credentials: $',
    'Set AWS_PROFILE, or sign in again.',
  ],
  [
    rejected,
    'AWS rejects these credentials.',
    'Set AWS_PROFILE to another profile, or sign in again.',
  ],
  [/^AccessDenied/, 'These credentials may not do this: $', 'Set AWS_PROFILE to another profile.'],
  [throttled, 'AWS throttles these requests, even after several attempts.', 'Try again later.'],
  [
    silent,
    'No response: $.',
    'Check the network and AWS_REGION, or that the local run is still running.',
  ],
  [/^TransientError$/, '$', 'Try again later. --verbose shows the cause.'],
  [
    noTable,
    'The table does not exist.',
    'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.',
  ],
  [
    /^Number (over|under)flow|^Attempting to store/,
    'DynamoDB cannot store this number: $',
    undefined,
    'invalid',
  ],
  [/^cdk synth failed/, '$', undefined, 'failed'],
  // Errors of the file system only: a system call that used the network or started a program is no
  // bad input.
  [/^(ENOENT$|syscall (?!spawn|connect|getaddrinfo|query|undefined))/, '$', undefined, 'invalid'],
];

const unexpected: Meaning = [
  /^/,
  '$',
  'This is unexpected. --verbose shows where it comes from.',
  'unexpected',
];

/**
 * Turns any error into a CliError that tells the operator what it means and what to do about it.
 */
export const toCliError = (cause: unknown): CliError => {
  if (cause instanceof CliError) {
    return cause;
  }
  const { name, code = '', message, syscall } = cause as NodeJS.ErrnoException;
  const [first = ''] = (message || code)
    .replace(/^.*(requestTimeout|socket timed out).*$/, 'timed out')
    .split('\n');
  const reason = /^cdk synth failed/.test(first) ? message.trim() : first;
  const texts = [name, code, reason, `syscall ${syscall}`];
  const known = meanings.find(([pattern]) => texts.some((text) => pattern.test(text)));
  const [, meaning, hint, kind = 'unavailable'] = known ?? unexpected;
  const explained = meaning.replace('$', () => reason);
  return new CliError(kind, explained, { hint, cause });
};
