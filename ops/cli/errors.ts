import type { Terminal } from './terminal.ts';

/** An error that ends a command. Its message tells the operator what is wrong, and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** Somebody has answered no to the question whether to change something, and so it was not. */
export class DeclinedError extends CliError {}

/** Returns the first 20 lines of a message, and how many more there are. */
export const listed = (lines: string[]): string => {
  const more = lines.length - 20;
  return [...lines.slice(0, 20), ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
};

/** An error of the AWS SDK or of Node. Some have no message, and some no code. */
type SystemError = Error & { code?: string; $metadata?: object };

/** What to do about errors by their name, code or message, which says what is wrong. */
const advice: [RegExp, string][] = [
  [/^ERR_PROXY_/, 'Check HTTPS_PROXY and NO_PROXY.'],
  [
    /^(UNABLE_TO_(GET|VERIFY)|SELF_SIGNED_|DEPTH_ZERO_|CERT_)/,
    'If a proxy inspects what you send, set NODE_EXTRA_CA_CERTS to a file with its certificate.',
  ],
  [/^Region (is missing|not accepted)/, 'Set AWS_REGION, or a region in the profile.'],
  [
    /^(CredentialsProvider|TokenProvider|ExpiredToken|RequestExpired|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch)/,
    'Set AWS_PROFILE, or sign in again; aws sts get-caller-identity shows as whom. For a profile with ' +
      'MFA: eval "$(aws configure export-credentials --format env)"',
  ],
  [/^EEXIST/, 'Choose another name: an old file may hold a key that still works.'],
  [/^AccessDenied/, 'docs/settings.md#permissions has the policy that operators need.'],
  [
    /^(Throttling|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests)/,
    'Several attempts were throttled. Try again later.',
  ],
  [
    /^ResourceNotFound/,
    'The table does not exist. Check AWS_REGION and AWS_PROFILE. If it was deleted, deploy nothing: ' +
      'see docs/runbook.md#a-table-was-deleted',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN|E(CONN|HOST|NET|ADDR)[A-Z]+|ETIMEDOUT|TimeoutError)/,
    'Check the network, AWS_REGION and HTTPS_PROXY, or whether the local run is still running.',
  ],
];

/** Prints an error that ends a command: as JSON with `--json`, and with its stack if it is a bug. */
export const reportError = ({ stderr }: Terminal, thrown: unknown, json: boolean): void => {
  const message = messageOf(thrown as SystemError);
  const line = json ? JSON.stringify({ error: { message } }) : `petstore: ${message}`;
  stderr.write(`${line}\n`);
};

const messageOf = (error: SystemError): string => {
  const { name, code = '', message, stack = message, $metadata } = error;
  if (error instanceof CliError) {
    return message;
  }
  const [, whatToDo] =
    advice.find(([pattern]) => [name, code, message].some((text) => pattern.test(text))) ?? [];
  if (whatToDo !== undefined) {
    return `${message || code}\n${whatToDo}`;
  }
  const isExpected = code !== '' || $metadata !== undefined;
  return isExpected ? message || code : stack;
};
