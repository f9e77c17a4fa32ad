import Tokenizer from '@streamparser/json/tokenizer.js';
import TokenParser from '@streamparser/json/tokenparser.js';
import { CliError } from '../cli/cli-error.ts';
import { Unreadable } from './check-entry.ts';
import { Numeral, parseWithNumerals } from './numeral.ts';
import { longestEntry, type Reader } from './source.ts';

/** The library rounds numbers that a double cannot hold. */
class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    return new Numeral(text) as unknown as number;
  }
}

/**
 * Reads a JSON array of any length; a place is the number of an element.
 * @throws CliError where it is not valid JSON, or does not end
 */
export const readJson: Reader = async (chunks, onEntry) => {
  const tokenizer = new ExactTokenizer();
  const parser = new TokenParser({ paths: ['$.*'], keepStack: false });
  tokenizer.onToken = (token) => parser.write(token);
  parser.onEnd = () => tokenizer.end();
  const values: unknown[] = [];
  parser.onValue = ({ value }) => values.push(value);

  let elements = 0;
  let length = 0;
  for await (const chunk of chunks) {
    try {
      tokenizer.write(chunk);
    } catch {
      throw new CliError('invalid', `Element ${elements + values.length + 1}: this is not valid JSON.`);
    }
    length = values.length > 0 ? 0 : length + chunk.length;
    if (length > longestEntry) {
      throw new CliError('invalid', `Element ${elements + 1}: this is no entry, but something longer.`);
    }
    for (const value of values.splice(0)) {
      elements += 1;
      onEntry(elements, value);
    }
  }
  if (!parser.isEnded) {
    throw new CliError('invalid', `The JSON array does not end: its last element is number ${elements}.`);
  }
};

/**
 * Reads one JSON value from each line. (`node:readline` splits at other characters too, and holds a line of any length.)
 * @throws CliError where a line is too long
 */
export const readNdjson: Reader = async (chunks, onEntry) => {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  const take = (text: string) => {
    line += 1;
    if (text.trim() !== '') {
      onEntry(line, parse(text));
    }
  };
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
    if (rest.length > longestEntry) {
      throw new CliError('invalid', `Line ${line + 1}: this is no entry, but something longer.`);
    }
  }
  take(rest + decoder.decode());
};

const parse = (text: string): unknown => {
  try {
    return parseWithNumerals(text);
  } catch {
    return new Unreadable(text, 'This is not valid JSON.');
  }
};
