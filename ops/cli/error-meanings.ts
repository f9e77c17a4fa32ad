import type { ErrorCode } from './cli-error.ts';
import { pages } from './pages.ts';

/** What is known of an error that some library or Node itself has thrown. */
export interface Failure {
  name: string;
  /** Of an error of Node, such as ENOENT; '' for others. */
  code: string;
  /** The system call that failed, such as open; '' for other errors. */
  syscall: string;
  /** The first line of its message, or its code if it has no message. */
  reason: string;
}

/** What to tell an operator about some errors. */
interface Meaning {
  matches: (failure: Failure) => boolean;
  message: (failure: Failure) => string;
  /** What to do about it. */
  hint?: string;
  code: ErrorCode;
}

const isNamed =
  (pattern: RegExp) =>
  ({ name, code }: Failure): boolean =>
    pattern.test(name) || pattern.test(code);

const says =
  (pattern: RegExp) =>
  ({ reason }: Failure): boolean =>
    pattern.test(reason);

const itself = ({ reason }: Failure): string => reason;

/** Returns the action that AWS names in the message of an AccessDenied, such as dynamodb:Scan. */
const deniedAction = (reason: string): string =>
  /not authorized to perform:? ([\w-]+:\w+)/.exec(reason)?.[1] ?? 'this';

/** System calls of the network, or that start a program. When they fail, no input is to blame. */
const notOfFiles = /^(spawn|connect|getaddrinfo|query)/;

/** The first meaning that matches an error holds. */
export const meanings: Meaning[] = [
  {
    matches: isNamed(/^AbortError$/),
    message: () => 'Interrupted.',
    code: 'interrupted',
  },
  {
    matches: says(/^Region (is missing$|not accepted: region="")/),
    message: () => 'No AWS region is set.',
    hint: 'Set AWS_REGION, or the region of the profile.',
    code: 'unavailable',
  },
  {
    matches: isNamed(/^(ExpiredToken|RequestExpired)/),
    message: () => 'The AWS credentials have expired.',
    hint: 'Sign in again.',
    code: 'unavailable',
  },
  {
    matches: isNamed(/^(Credentials|Token)ProviderError$/),
    message: ({ reason }) => `No AWS credentials: ${reason}`,
    hint: 'Set AWS_PROFILE, or sign in again.',
    code: 'unavailable',
  },
  {
    matches: isNamed(
      /^(UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch)/,
    ),
    message: () => 'AWS rejects these credentials.',
    hint: 'Set AWS_PROFILE to another profile, or sign in again.',
    code: 'unavailable',
  },
  {
    matches: isNamed(/^AccessDenied/),
    message: ({ reason }) => `These credentials may not do ${deniedAction(reason)}: ${reason}`,
    hint: `${pages.permissions} has the policy of an operator. Or set AWS_PROFILE.`,
    code: 'unavailable',
  },
  {
    matches: isNamed(
      /^(Throttling|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests)/,
    ),
    message: () => 'AWS throttles these requests, even after several attempts.',
    hint: 'Try again later.',
    code: 'unavailable',
  },
  {
    matches: isNamed(
      /^(ENOTFOUND|EAI_AGAIN|(ECONN|EHOST|ENET|EADDR)[A-Z]+|ETIMEDOUT|EPIPE|EPROTO|TimeoutError)$/,
    ),
    message: ({ reason }) => `No response: ${reason}.`,
    hint: 'Check the network and AWS_REGION, or that the local run is still running.',
    code: 'unavailable',
  },
  {
    matches: isNamed(/^ResourceNotFoundException$/),
    message: () => 'The table does not exist.',
    hint: 'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.',
    code: 'unavailable',
  },
  {
    matches: says(/^(Number (over|under)flow|Attempting to store)/),
    message: ({ reason }) => `DynamoDB cannot store this number: ${reason}`,
    code: 'invalid',
  },
  {
    matches: says(/^(cdk synth|esbuild) failed/),
    message: itself,
    code: 'failed',
  },
  {
    matches: ({ code, syscall }) =>
      code === 'ENOENT' || (syscall !== '' && !notOfFiles.test(syscall)),
    message: itself,
    code: 'invalid',
  },
];

/** The meaning of every other error. */
export const unexpected: Meaning = {
  matches: () => true,
  message: itself,
  hint: 'This is unexpected. --verbose shows where it comes from.',
  code: 'unexpected',
};
