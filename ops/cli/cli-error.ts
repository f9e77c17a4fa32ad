/** Why a command did not do what it was asked, by exit code. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  invalid: 3,
  conflict: 4,
  notFound: 5,
  unavailable: 6,
  notConfirmed: 7,
  interrupted: 130,
} as const;

/** Ends a command. The message is for the operator: what is wrong and what to do, in one or two lines. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(reason: keyof typeof exitCodes, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCodes[reason];
  }
}
