import { parse } from 'csv-parse/sync';
import { checkItem, columns, excerpt, Numeral, type ParsedItem } from './check-item.ts';

/**
 * Returns every entry of a CSV file, whose first line names the columns. An empty cell is a missing
 * value.
 * @throws Error if the file has other columns, or if its quotes do not match
 */
export const parseCsv = (text: string): ParsedItem[] => {
  // The names of the columns hold no separator, so the first one separates them.
  const [delimiter = ','] = /[,;\t]/.exec(text) ?? [];
  const parsed: ParsedItem[] = [];
  let names: string[] | undefined;
  const takeRow = (cells: string[], line: number): void => {
    if (names === undefined) {
      names = columnsNamed(cells, delimiter);
    } else {
      parsed.push({ place: { line }, result: checkCells(cells, names, delimiter) });
    }
  };
  parse(text, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    // Rows that are kept until all are read take twice the memory.
    on_record: (cells, { lines }) => {
      takeRow(cells as unknown as string[], lines);
      return null;
    },
  });
  return parsed;
};

/** Returns the names of the columns, which may be in any order and in any case. */
const columnsNamed = (cells: string[], delimiter: string): string[] => {
  const names = cells.map((cell) =>
    columns.find((column) => column.toLowerCase() === cell.toLowerCase()),
  );
  if (names.length !== columns.length || !columns.every((column) => names.includes(column))) {
    const header = 'petId, quantity and status, separated by commas, semicolons or tabs';
    const found = excerpt(cells.join(delimiter));
    throw new Error(`as CSV, it must begin with the names of its columns, ${header}, not ${found}`);
  }
  return names as string[];
};

const checkCells = (cells: string[], names: string[], delimiter: string): ParsedItem['result'] => {
  if (cells.length !== names.length) {
    const value = excerpt(cells.join(delimiter));
    return [
      { reason: `There must be ${names.length} cells, not ${cells.length}: ${value}.`, value },
    ];
  }
  const cellOf = (name: string) => cells[names.indexOf(name)] || undefined;
  return checkItem({
    petId: numberIn(cellOf('petId')),
    quantity: numberIn(cellOf('quantity')),
    status: cellOf('status'),
  });
};

/** Returns the number in a cell, or its text: 1E+11, for example, may have been rounded. */
const numberIn = (cell: string | undefined): Numeral | string | undefined =>
  cell !== undefined && /^-?(0|[1-9]\d*)$/.test(cell) ? new Numeral(cell) : cell;
