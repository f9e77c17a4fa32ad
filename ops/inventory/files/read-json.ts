import Tokenizer from '@streamparser/json/tokenizer.js';
import TokenParser from '@streamparser/json/tokenparser.js';
import { CliError } from '../../cli/cli-error.ts';
import { checkEntry, Numeral } from '../entries/check-entry.ts';
import { type Chunks, invalid, limitEntrySize, type OnEntry } from './reader.ts';

/** Reads a JSON array of entries. */
export const readJson = async (chunks: Chunks, onEntry: OnEntry): Promise<void> => {
  let element = 1;
  const parser = elementParser((value) => {
    onEntry(element, checkEntry(value));
    element += 1;
  });
  for await (const chunk of limitEntrySize(chunks, 'Element', () => element)) {
    try {
      parser.write(chunk);
    } catch (cause) {
      throw new CliError('invalid', `Element ${element}: this is not valid JSON.`, { cause });
    }
  }
  if (!parser.isEnded()) {
    throw invalid(`The JSON array does not end: element ${element - 1} is the last complete one.`);
  }
};

/** Returns a parser that calls `onElement` with each element of an array, its numbers exact. */
const elementParser = (onElement: (value: unknown) => void) => {
  const tokenizer = new Tokenizer();
  // The tokenizer's own parseNumber rounds numbers that a double cannot hold.
  Object.assign(tokenizer, { parseNumber: (text: string) => new Numeral(text) });
  const parser = new TokenParser({ paths: ['$.*'], keepStack: false });
  tokenizer.onToken = (token) => parser.write(token);
  parser.onEnd = () => tokenizer.end();
  parser.onValue = ({ value }) => onElement(value);
  return {
    write: (chunk: Buffer) => tokenizer.write(chunk),
    isEnded: () => parser.isEnded,
  };
};
