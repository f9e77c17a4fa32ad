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
