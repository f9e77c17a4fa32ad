import { InvalidArgumentError } from 'commander';

/** The exit code of a command that did not do what it was asked, by the `code` that `--json` gives for it. */
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
  /** What to do about it, in one line that ends in a command, if there is one, to be pasted as it is. */
  hint?: string | undefined;
  /** All that was found to be wrong, for `--json`; without it, it has been printed line by line. */
  problems?: unknown[] | undefined;
}

/** Ends a command. The message is for the operator: what is wrong, in a sentence or two. */
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

/** Throws an error on, with one hint more. */
export const withHint = (more: string, problems?: unknown[]) => (error: unknown) => {
  const { code, message, details, cause } = explain(error);
  throw new CliError(code, message, { hint: [details.hint, more].filter(Boolean).join(' '), problems, cause });
};

/** An argument of a command that is to be pasted. */
export const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Rejects the value of an option or argument. Commander adds its name. */
export const invalidValue = (reason: string): never => {
  throw new InvalidArgumentError(reason);
};

type Meaning = [pattern: RegExp, message: string, hint?: string | undefined, code?: ErrorCode];

const rejected = /^(UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch)/;
const throttled = /^(Throttling|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests)/;
const silent = /^(ENOTFOUND|EAI_AGAIN|(ECONN|EHOST|ENET|EADDR)[A-Z]+|ETIMEDOUT|EPIPE|EPROTO|TimeoutError)$/;
const noRegion = /^Region (is missing$|not accepted: region="")/;
const noTable = /^ResourceNotFoundException$/;

/** What errors of these names, codes or messages mean, and what to do about them; $ stands for their own message. */
const meanings: Meaning[] = [
  [/^AbortError$/, 'Interrupted.', undefined, 'interrupted'],
  [noRegion, 'No AWS region is set.', 'Set AWS_REGION, or the region of the profile.'],
  [/^(ExpiredToken|RequestExpired)/, 'The AWS credentials have expired.', 'Sign in again.'],
  [/^(Credentials|Token)ProviderError$/, 'No AWS credentials: $', 'Set AWS_PROFILE, or sign in again.'],
  [rejected, 'AWS rejects these credentials.', 'Set AWS_PROFILE to another profile, or sign in again.'],
  [/^AccessDenied/, 'These credentials may not do this: $', 'Set AWS_PROFILE to another profile.'],
  [throttled, 'AWS throttles these requests, even after several attempts.', 'Try again later.'],
  [silent, 'No response: $.', 'Check the network and AWS_REGION; of a local run, whether it still runs.'],
  [/^TransientError$/, '$', 'Try again later. --verbose shows what came instead.'],
  [noTable, 'The table does not exist.', 'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.'],
  [/^Number (over|under)flow|^Attempting to store/, 'DynamoDB has no such number: $', undefined, 'invalid'],
  [/^cdk synth failed/, '$', undefined, 'failed'],
  // Of the file system: what failed on the network or to start a program, a file does not cure.
  [/^(ENOENT$|syscall (?!spawn|connect|getaddrinfo|query|undefined))/, '$', undefined, 'invalid'],
];

const unexpected: Meaning = [/^/, '$', 'Unexpected. --verbose shows where it comes from.', 'unexpected'];

/** The error that tells an operator what to do about any other error. */
export const explain = (cause: unknown): CliError => {
  if (cause instanceof CliError) {
    return cause;
  }
  const { name, code = '', message, syscall } = cause as NodeJS.ErrnoException;
  const [first = ''] = (message || code).replace(/^.*(requestTimeout|socket timed out).*$/, 'timed out').split('\n');
  const reason = /^cdk synth failed/.test(first) ? message.trim() : first;
  const texts = [name, code, reason, `syscall ${syscall}`];
  const known = meanings.find(([pattern]) => texts.some((text) => pattern.test(text)));
  const [, meaning, hint, kind = 'unavailable'] = known ?? unexpected;
  const explained = meaning.replace('$', () => reason);
  return new CliError(kind, explained, { hint, cause });
};
