import { pipeline } from 'node:stream/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import {
  checkEntry,
  columns,
  type Entry,
  excerpt,
  isRounded,
  Numeral,
  type Problem,
} from '../entries/check-entry.ts';
import { columnsNamed, type Separator } from './csv-header.ts';
import { type Chunks, invalid, limitEntrySize, longestEntry, type OnEntry } from './reader.ts';

/** Reads CSV whose first line names the columns. An empty cell is a missing value. */
export const readCsv = async (
  chunks: Chunks,
  onEntry: OnEntry,
  separator: Separator,
): Promise<void> => {
  let last = 1;
  const rows: Parser = parse({
    columns: (names: string[]) => columnsNamed({ names, line: rows.info.lines, separator }),
    delimiter: separator,
    max_record_size: longestEntry,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    // The parser's `cast`, or reading rows from it as a stream, would take twice the time.
    on_record: (row, { lines, error }) => {
      last = lines;
      const cells = error?.record as string[] | undefined;
      onEntry(lines, cells ? [wrongCells(cells, separator)] : checkRow(row as never));
      return null;
    },
  });
  const source = limitEntrySize(chunks, 'Line', () => rows.info.lines);
  await pipeline(source, rows.resume()).catch((error) => {
    const reason = 'a quote is not closed or is inside a cell, or this is too long to be an entry';
    throw error instanceof CsvError ? invalid(`After line ${last}: ${reason}.`) : error;
  });
};

const wrongCells = (cells: string[], separator: Separator): Problem => {
  const value = excerpt(cells.join(separator));
  return { reason: `There must be ${columns.length} cells, not ${cells.length}: ${value}.`, value };
};

const checkRow = (row: Record<string, string>): Entry | Problem[] => {
  const { petId = '', quantity = '', status } = row;
  return checkEntry({
    petId: numberIn(petId),
    quantity: numberIn(quantity),
    status: status || undefined,
  });
};

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Returns the number in a cell, or the text if it is none, or is rounded. */
const numberIn = (cell: string): Numeral | string | undefined => {
  if (cell === '') {
    return undefined;
  }
  return numeral.test(cell) && !isRounded(cell) ? new Numeral(cell) : cell;
};
