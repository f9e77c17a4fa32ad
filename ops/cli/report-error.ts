import { inspect, styleText } from 'node:util';
import { toJson } from '../../functions/shared/json.ts';
import { type CliError, exitCodes } from './cli-error.ts';
import { escapeControls, hasColors, type Terminal } from './terminal.ts';
import { toCliError } from './to-cli-error.ts';

interface ReportOptions {
  /** Whether to print one JSON object instead of lines. */
  json: boolean;
  /** Whether to print where the error comes from, too. */
  verbose: boolean;
}

const inJson = ({ code, message, details }: CliError): string =>
  toJson({
    error: { code, message, hint: details.hint ?? null, problems: details.problems },
  });

/** Prints an error that ends a command. Returns the exit code of the command. */
export const reportError = (
  terminal: Terminal,
  thrown: unknown,
  { json, verbose }: ReportOptions,
): number => {
  const error = toCliError(thrown);
  const { code, message, cause, details } = error;
  const trace = verbose ? [inspect(cause ?? thrown)] : [];
  const hint = details.hint ? [details.hint] : [];
  const lines = json ? [...trace, inJson(error)] : [message, ...hint, ...trace];
  const colored = hasColors(terminal, terminal.stderr);
  const name = colored ? styleText('red', 'petstore:', { validateStream: false }) : 'petstore:';
  terminal.stderr.write(`${json ? '' : `${name} `}${withoutKeys(lines.join('\n'))}\n`);
  return exitCodes[code];
};

/** An API key that was typed as an argument by mistake must not reach a log. */
const withoutKeys = (text: string): string =>
  escapeControls(text).replace(/(petstore_[a-z]+_)\w+/g, '$1…');
