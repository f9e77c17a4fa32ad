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
  problems?: unknown[];
}

/** Ends a command. The message is for the operator: what is wrong, in a sentence or two. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly problems: unknown[] | undefined;

  constructor(code: ErrorCode, message: string, { hint, problems, ...options }: Details = {}) {
    super(message, options);
    this.code = code;
    this.hint = hint;
    this.problems = problems;
  }
}

/** Rejects the value of an option or argument. Commander adds its name. */
export const invalidValue = (reason: string): never => {
  throw new InvalidArgumentError(reason);
};
