import { CliError } from '../cli/cli-error.ts';
import { longestEntry } from './source-line.ts';

export interface Element {
  /** Where it starts, counted from 1. */
  line: number;
  text: string;
}

const newlines = (text: string): number => text.split('\n').length - 1;

/**
 * Cuts a JSON array of any length into the texts of its elements; whether those are JSON is for others to see.
 * @throws CliError where it is no array or does not end as one
 */
export async function* jsonArrayElements(chunks: AsyncIterable<string>): AsyncGenerator<Element> {
  /** Brackets open: none outside the array, 1 between its elements. */
  let depth = 0;
  let started = false;
  let inString = false;
  /** What has been read since the last separator, which stood in this line. */
  let text = '';
  let line = 1;
  let backslash = '';

  const unreadable = (reason: string) => new CliError('invalid', `Line ${line + newlines(text)}: ${reason}`);
  const take = (): Element => {
    const taken = { line: line + newlines(/^\s*/.exec(text)?.[0] ?? ''), text: text.trim() };
    line += newlines(text);
    text = '';
    return taken;
  };

  for await (const next of chunks) {
    // An escaped character must not be cut from its backslash.
    const whole = backslash + next;
    backslash = (/\\*$/.exec(whole)?.[0].length ?? 0) % 2 === 1 ? '\\' : '';
    const chunk = backslash ? whole.slice(0, -1) : whole;

    let from = 0;
    for (const { 0: mark, index } of chunk.matchAll(/["[\]{},]|\\./gs)) {
      if (mark === '"') {
        inString = !inString;
      } else if (inString || mark.startsWith('\\')) {
      } else if (depth === 0) {
        text += chunk.slice(from, index);
        if (mark !== '[' || started || take().text !== '') {
          throw unreadable('this is not one JSON array.');
        }
        from = index + 1;
        started = true;
        depth = 1;
      } else if (mark === '[' || mark === '{') {
        depth += 1;
      } else if (mark === ',' ? depth === 1 : --depth === 0) {
        text += chunk.slice(from, index);
        from = index + 1;
        const element = take();
        if (element.text !== '' || mark === ',') {
          yield element;
        }
      }
    }
    text += chunk.slice(from);
    if (text.length > longestEntry) {
      throw unreadable('this is no entry, but something longer.');
    }
  }
  if (!started || depth > 0 || text.trim() !== '') {
    throw unreadable(depth > 0 ? 'the JSON array does not end.' : 'this is not one JSON array.');
  }
}
