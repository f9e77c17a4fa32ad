import { jsonArrayElements } from './json-array-elements.ts';
import { lines } from './lines.ts';
import { parseWithNumerals } from './numeral.ts';
import { type SourceLine, Unreadable } from './source-line.ts';

const parse = (text: string): unknown => {
  try {
    return parseWithNumerals(text);
  } catch {
    return new Unreadable('This is not valid JSON.');
  }
};

export async function* readJsonArray(chunks: AsyncIterable<string>): AsyncGenerator<SourceLine> {
  for await (const { line, text } of jsonArrayElements(chunks)) {
    yield { line, value: parse(text) };
  }
}

export async function* readNdjson(chunks: AsyncIterable<string>): AsyncGenerator<SourceLine> {
  let line = 0;
  for await (const text of lines(chunks)) {
    line += 1;
    if (text.trim() !== '') {
      yield { line, value: parse(text) };
    }
  }
}
