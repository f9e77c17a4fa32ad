import { CliError } from './cli-error.ts';
import { type Failure, meanings, unexpected } from './error-meanings.ts';

/**
 * Turns any error into a CliError that tells the operator what it means and what to do about it.
 */
export const toCliError = (cause: unknown): CliError => {
  if (cause instanceof CliError) {
    return cause;
  }
  const failure = describe(cause as NodeJS.ErrnoException);
  const { message, hint, code } = meanings.find(({ matches }) => matches(failure)) ?? unexpected;
  return new CliError(code, message(failure), { hint, cause });
};

const describe = ({ name, code = '', syscall = '', message }: NodeJS.ErrnoException): Failure => {
  const text = message || code;
  // What the CDK or esbuild has printed is part of the message, on lines of its own.
  const isPrinted = /^(cdk synth|esbuild) failed/.test(text);
  const [first = ''] = text.split('\n');
  const reason = isPrinted
    ? text.trim()
    : first.replace(/^.*(requestTimeout|socket timed out).*$/, 'timed out');
  return { name, code, syscall, reason };
};

/** Turns any error into a CliError with one more hint, and the problems that it is about. */
export const hinted = (error: unknown, more: string, problems?: unknown[]): CliError => {
  const { code, message, details, cause } = toCliError(error);
  const hint = [details.hint, more].filter(Boolean).join(' ');
  return new CliError(code, message, { hint, problems, cause });
};
