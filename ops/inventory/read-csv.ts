import { CsvError, parse } from 'csv-parse/sync';
import { CliError } from '../cli/errors.ts';
import { type Column, columnNames, columns, type Entry, excerpt } from './check-entry.ts';

/** Reads the entries of CSV, whose first line names the columns. Blank rows are none. */
export const readCsv = (text: string, take: (entry: Entry) => void): void => {
  // Before the names, there may be rows of nothing but other separators.
  const start = text.search(/[^,;\s]/);
  const delimiter = /[,;\t]/.exec(text.slice(start))?.[0] ?? ',';
  let names: Names | undefined;
  eachRow(text, delimiter, (cells, number) => {
    const isPreface = names === undefined && preface.test(cells[0] ?? '');
    if (isPreface || cells.every(isBlank)) {
      return;
    }
    if (names === undefined) {
      names = namesOf(cells, lineAt(text, number));
    } else {
      take({ number, values: valuesOf(cells, names) });
    }
  });
  if (names === undefined) {
    throw new CliError('The file is empty.');
  }
};

/** What some programs write before the names: sep=; is for Excel, and #TYPE is by PowerShell. */
const preface = /^(sep=|#type )/i;

/** Calls a function with the cells of each row, and with the line in which the row begins. */
const eachRow = (
  text: string,
  delimiter: string,
  take: (cells: string[], line: number) => void,
): void => {
  let line = 1;
  const takeRow = (row: string[]): null => {
    // The parser trims only cells without quotes.
    const cells = row.map((cell) => cell.trim());
    take(cells, line);
    const breaks = row.join().match(/\r\n|\r|\n/g)?.length ?? 0;
    line += 1 + breaks;
    // Rows that are kept until all are read would take twice the memory.
    return null;
  };
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // Spreadsheets are given ="1".
      relax_quotes: true,
      trim: true,
      on_record: (row) => takeRow(row as unknown as string[]),
    });
  } catch (error) {
    if (error instanceof CsvError) {
      const problem = 'a quote is never closed, or something follows a closing quote';
      throw new CliError(`Line ${line}: ${problem}.\nNothing was written.`, { cause: error });
    }
    throw error;
  }
};

/** Whether nothing of a cell can be seen but separators. */
const isBlank = (cell: string): boolean => /^[,;\s\p{Default_Ignorable_Code_Point}]*$/u.test(cell);

/** The column of each cell; undefined for a column without a name. */
type Names = (Column | undefined)[];

const namesOf = (cells: string[], line: string): Names => {
  const names = cells.map((cell) =>
    columns.find((column) => column.toLowerCase() === cell.toLowerCase()),
  );
  const named = cells.filter((cell) => !isBlank(cell));
  if (named.length !== columns.length || !columns.every((column) => names.includes(column))) {
    throw new CliError(
      'The file is neither JSON nor CSV. The first line of CSV must name just the columns ' +
        `${columnNames}, separated by commas, semicolons or tabs, not ${excerpt(line)}.`,
    );
  }
  return names;
};

/** Returns a line as it is written, with its quotes. */
const lineAt = (text: string, number: number): string =>
  text.split(/\r\n|\r|\n/, number).at(-1) ?? '';

const valuesOf = (cells: string[], names: Names): Entry['values'] => {
  const values: Entry['values'] = {};
  for (const [index, cell] of cells.entries()) {
    const name = names[index];
    if (name !== undefined || !isBlank(cell)) {
      values[name ?? `column ${index + 1}`] = cell;
    }
  }
  return values;
};
