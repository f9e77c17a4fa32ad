import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CliError } from '../cli/cli-error.ts';
import { Numeral } from './numeral.ts';
import { longestEntry, type SourceLine, Unreadable } from './source-line.ts';

const columns = ['petId', 'quantity', 'status'];

interface Candidate {
  record: string[];
  /** `lines` counts to where the row ends. */
  info: { lines: number };
}

/**
 * Reads CSV whose first line names the columns, in any order.
 * @throws CliError where the columns are others, or quotes do not match
 */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<SourceLine> {
  const rows = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestEntry,
  });
  // Its errors come out of the iteration below.
  pipeline(chunks, rows, () => {});
  let header: string[] | undefined;
  try {
    for await (const { record, info } of rows as AsyncIterable<Candidate>) {
      if (header === undefined) {
        header = checkedHeader(record);
      } else if (record.length !== header.length) {
        const reason = `There must be ${header.length} cells, not ${record.length}.`;
        yield { line: info.lines, value: new Unreadable(reason) };
      } else {
        const cells = header.map((name, i) => [name, cellValue(name, record[i] ?? '')]);
        yield { line: info.lines, value: Object.fromEntries(cells) };
      }
    }
  } catch (error) {
    throw error instanceof CsvError
      ? new CliError('invalid', `The file is not valid CSV: ${error.message.slice(0, 200)}.`)
      : error;
  }
  if (header === undefined) {
    checkedHeader([]);
  }
}

const checkedHeader = (names: string[]): string[] => {
  if (names.toSorted().join() !== columns.join()) {
    throw new CliError('invalid', `Line 1: a CSV file must begin with the columns ${columns.join()}.`);
  }
  return names;
};

/** What a cell stands for: the status is text, the others are numbers, which are checked later. Nothing if it is empty. */
const cellValue = (column: string, text: string): Numeral | string | undefined => {
  if (text === '') {
    return undefined;
  }
  return column === 'status' ? text : new Numeral(text);
};
