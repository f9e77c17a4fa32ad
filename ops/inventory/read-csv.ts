import { type CsvError, parse } from 'csv-parse/sync';
import { CliError } from '../cli/errors.ts';
import { type Column, columns, type Entry, excerpt, type Problem } from './check-entry.ts';

/**
 * Reads the entries of CSV, whose first line names the columns. Lines in which nothing can be seen
 * but separators are none.
 */
export const readCsv = (text: string, take: (entry: Entry) => void): void => {
  const isObject = /^\s*\{\s*["}]/.test(text);
  if (isObject) {
    throw new CliError(
      'The file is JSON, but an import takes an array of entries, as the API prints it; ' +
        'jq -s . FILE makes an array of objects in a row.',
    );
  }
  const delimiter = delimiterOf(text);
  let names: Names | undefined;
  eachRow(text, delimiter, (cells, line) => {
    const row = cells.join(delimiter);
    const isPreface = names === undefined && preface.test(row);
    if (isBlank(row) || isPreface) {
      return;
    }
    if (names === undefined) {
      names = namesOf(cells, delimiter);
    } else {
      take({ number: line, ...entryOf(cells, names) });
    }
  });
  if (names === undefined) {
    throw new CliError('The file is empty.');
  }
};

/** A line before the names: sep=; tells Excel the separator, and PowerShell begins with #TYPE. */
const preface = /^(sep=.|#type .*)$/i;

/** Returns the separator that follows the name of a column. */
const delimiterOf = (text: string): string =>
  /(?:petId|quantity|status)["\p{Zs}]*([,;\t])/iu.exec(text)?.[1] ?? ',';

/** Calls a function with the cells of each row, and with the line in which the row begins. */
const eachRow = (
  text: string,
  delimiter: string,
  take: (cells: string[], line: number) => void,
): void => {
  let line = 1;
  const takeRow = (cells: string[]): null => {
    // The parser trims only cells without quotes.
    take(
      cells.map((cell) => cell.trim()),
      line,
    );
    const breaks = cells.join().match(/\r\n|\r|\n/g)?.length ?? 0;
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
      on_record: (cells) => takeRow(cells as unknown as string[]),
    });
  } catch (cause) {
    throw (cause as CsvError).code === undefined ? cause : quoteError(line, cause as CsvError);
  }
};

const quoteError = (line: number, cause: CsvError): CliError => {
  const isOpen = cause.code === 'CSV_QUOTE_NOT_CLOSED';
  const what = isOpen ? 'a quote is opened and never closed' : 'something follows a closing quote';
  return new CliError(`Line ${line}: ${what}.\nNothing was written.`, { cause });
};

/** Whether nothing of a cell or row can be seen but separators. */
const isBlank = (text: string): boolean => /^[,;\s\p{Default_Ignorable_Code_Point}]*$/u.test(text);

/** The column of each cell; undefined for a column without a name. */
type Names = (Column | undefined)[];

const namesOf = (cells: string[], delimiter: string): Names => {
  const named = cells.map((cell) => cell.toLowerCase());
  const names = named.map((name) => columns.find((column) => column.toLowerCase() === name));
  const isOther = cells.some((cell, index) => names[index] === undefined && !isBlank(cell));
  const isOnce = columns.every((column) => names.filter((name) => name === column).length === 1);
  if (isOther || !isOnce) {
    throw new CliError(
      'The file is neither a JSON array, nor CSV whose first line names the columns petId, ' +
        'quantity and status, separated by commas, semicolons or tabs: ' +
        `it begins with ${excerpt(cells.join(delimiter))}.`,
    );
  }
  return names;
};

const entryOf = (cells: string[], names: Names): Omit<Entry, 'number'> => {
  const values: Entry['values'] = {};
  const problems: Problem[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = names[index];
    if (name !== undefined) {
      values[name] = cell;
    } else if (!isBlank(cell)) {
      const text = `column ${index + 1} has no name, and holds ${excerpt(cell)}.`;
      problems.push({ column: 'columns without a name', text });
    }
  }
  return { values, problems };
};
