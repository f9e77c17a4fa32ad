import { checkEntry, type Entry, excerpt, Numeral, type Problem } from '../entries/check-entry.ts';
import { type Chunks, limitEntrySize, type OnEntry } from './reader.ts';

/**
 * Reads one JSON object a line. It splits lines itself: `node:readline` also splits at other
 * characters, and accepts a line of any length.
 */
export const readNdjson = async (chunks: Chunks, onEntry: OnEntry): Promise<void> => {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 1;
  const take = (text: string) => {
    if (text.trim() !== '') {
      onEntry(line, checkLine(text));
    }
    line += 1;
  };
  for await (const chunk of limitEntrySize(chunks, 'Line', () => line)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  }
  take(rest + decoder.decode());
};

const checkLine = (text: string): Entry | Problem[] => {
  let value: unknown;
  try {
    value = JSON.parse(text, exactNumbers);
  } catch {
    const given = excerpt(text);
    return [{ reason: `This is not valid JSON: ${given}.`, value: given }];
  }
  return checkEntry(value);
};

const exactNumbers = (_key: string, value: unknown, { source = '' }: { source?: string }) =>
  typeof value === 'number' ? new Numeral(source) : value;
