import { pipeline } from 'node:stream/promises';
import { CsvError, type InfoRecord, parse } from 'csv-parse';
import { CliError } from '../cli/cli-error.ts';
import { truncate, Unreadable } from './check-entry.ts';
import { Numeral } from './numeral.ts';
import { longestEntry, type Reader } from './source.ts';

const columns = ['petId', 'quantity', 'status'];

/**
 * Reads CSV whose first line names the columns, in any order.
 * @throws CliError where the columns are others, quotes do not match, or a line is too long
 */
export const readCsv: Reader = async (chunks, onEntry) => {
  let last = 0;
  const rows = parse({
    bom: true,
    columns: checkHeader,
    max_record_size: longestEntry,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // In place of `cast`, and of a stream of rows, which take twice the time.
    on_record: (row, { lines, error }) => {
      last = lines;
      onEntry(lines, error ? wrongLength(error) : entryOf(row as unknown as Row));
      return null;
    },
  });
  const checked = async function* () {
    let length = 0;
    for await (const chunk of chunks) {
      const end = Math.max(chunk.lastIndexOf('\n'), chunk.lastIndexOf('\r'));
      length = end < 0 ? length + chunk.length : chunk.length - end - 1;
      // `max_record_size` leaves out empty cells.
      if (length > longestEntry) {
        throw new CliError('invalid', `Line ${rows.info.lines}: this is no entry, but something longer.`);
      }
      yield chunk;
    }
  };
  try {
    await pipeline(checked, rows.resume());
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error, last) : error;
  }
};

type Row = Record<'petId' | 'quantity' | 'status', string>;

const entryOf = ({ petId, quantity, status }: Row) => ({
  petId: petId === '' ? undefined : new Numeral(petId),
  quantity: quantity === '' ? undefined : new Numeral(quantity),
  status: status === '' ? undefined : status,
});

const checkHeader = (names: string[]): string[] => {
  const separator = /[;\t]/.exec(names.length === 1 ? (names[0] ?? '') : '')?.[0];
  if (separator) {
    const found = separator === ';' ? 'semicolons' : 'tabs';
    throw new CliError('invalid', `Line 1: the columns are separated by ${found}; they must be by commas.`);
  }
  if (names.toSorted().join() !== columns.join()) {
    const found = JSON.stringify(truncate(names.join()));
    throw new CliError('invalid', `Line 1: a CSV file must begin with the columns ${columns.join()}, not ${found}.`);
  }
  return names;
};

const wrongLength = ({ record }: InfoRecord['error']): Unreadable => {
  const cells = record as string[];
  const reason = `There must be ${columns.length} cells, not ${cells.length}: ${columns.join()}.`;
  return new Unreadable(cells.join(), reason);
};

/** `last` is the line of the last entry that could be read. */
const unreadable = ({ code, lines }: CsvError, last: number): CliError => {
  switch (code as string) {
    case 'INVALID_OPENING_QUOTE':
      return new CliError(
        'invalid',
        `Line ${lines}: a quote stands within a cell. Quote the whole cell, or none of it.`,
      );
    case 'CSV_INVALID_CLOSING_QUOTE':
      return new CliError(
        'invalid',
        `Line ${lines}: something follows a closing quote; expected a comma or a new line.`,
      );
    default:
      return new CliError(
        'invalid',
        `After line ${Math.max(last, 1)}: a quote is not closed, or an entry is too long.`,
      );
  }
};
