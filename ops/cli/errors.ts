import { escapeControls, type Terminal } from './terminal.ts';

/** An error that ends a command. Its message tells the operator what is wrong, and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** What to do about errors of the AWS SDK and of Node, whose messages say what is wrong. */
const advice: [RegExp, string][] = [
  [/^Region is missing/, 'Set AWS_REGION, or the region of the profile.'],
  [
    /^(CredentialsProvider|TokenProvider|ExpiredToken|UnrecognizedClient|InvalidClientTokenId)/,
    'Set AWS_PROFILE, or sign in again.',
  ],
  [/^AccessDenied/, 'docs/reference.md#keys-and-stock has the policy of an operator.'],
  [
    /^(ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|TimeoutError)/,
    'Check the network and AWS_REGION.',
  ],
];

/** Prints an error that ends a command: as JSON with `--json`, and with its stack if it is a bug. */
export const reportError = (terminal: Terminal, thrown: unknown, json: boolean): void => {
  const error = thrown as Error & { code?: string; $metadata?: object };
  const text = messageOf(error);
  const line = json ? JSON.stringify({ error: { message: text } }) : `petstore: ${text}`;
  // An API key that was typed as an argument by mistake must not reach a log.
  const shown = escapeControls(line).replace(/(petstore_[a-z]+_)\w+/g, '$1…');
  terminal.stderr.write(`${shown}\n`);
};

const messageOf = (error: Error & { code?: string; $metadata?: object }): string => {
  const { name, code = '', message, stack, $metadata } = error;
  const [, whatToDo] =
    advice.find(([pattern]) => [name, code, message].some((text) => pattern.test(text))) ?? [];
  if (whatToDo !== undefined) {
    return `${message || code}\n${whatToDo}`;
  }
  const isExpected = error instanceof CliError || code !== '' || $metadata !== undefined;
  return isExpected ? message : (stack ?? message);
};
