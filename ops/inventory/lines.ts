import { CliError } from '../cli/cli-error.ts';
import { longestEntry } from './source-line.ts';

/** The lines of a text, without their ends. */
export async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let count = 0;
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      count += 1;
      yield part;
    }
    if (rest.length > longestEntry) {
      throw new CliError('invalid', `Line ${count + 1}: this is no entry, but something longer.`);
    }
  }
  if (rest !== '') {
    yield rest;
  }
}
