import { columns, excerpt } from '../entries/check-entry.ts';
import { invalid } from './reader.ts';

const separators = [',', ';', '\t'] as const;

export type Separator = (typeof separators)[number];

/** Returns the separator that occurs most often in the first line of a CSV file. */
export const separatorIn = (line: string): Separator => {
  const countOf = (separator: Separator) => line.split(separator).length;
  return separators.reduce((most, other) => (countOf(other) > countOf(most) ? other : most));
};

interface Header {
  /** What its cells hold. */
  names: string[];
  /** The number of its line. */
  line: number;
  separator: Separator;
}

const expected = 'petId, quantity and status';

/**
 * Returns the columns that the first line of a CSV file names. It may have them in any order, and
 * their names in any case.
 * @throws CliError unless each column is there once, and no other
 */
export const columnsNamed = ({ names, line, separator }: Header): string[] => {
  const found = names.map(columnNamed);
  if (found.every((column) => column === undefined)) {
    throw invalid(
      `Line ${line}: a CSV file must begin with the names of its columns, ${expected}, ` +
        'separated by commas, semicolons or tabs. ' +
        `It begins with ${excerpt(names.join(separator))}.`,
    );
  }
  const problems = names.flatMap((name, i) => (found[i] ? [] : [unknownColumn(name, i + 1)]));
  for (const column of columns) {
    const times = found.filter((each) => each === column).length;
    if (times === 0) {
      problems.push(`${column} is missing`);
    }
    if (times > 1) {
      problems.push(`${column} is there ${times} times`);
    }
  }
  if (problems.length > 0) {
    throw invalid(
      `Line ${line}: ${problems.join('; ')}. The columns must be ${expected}, in any order.`,
    );
  }
  return found as string[];
};

const columnNamed = (name: string) =>
  columns.find((column) => column.toLowerCase() === name.trim().toLowerCase());

const unknownColumn = (name: string, number: number): string =>
  name === '' ? `column ${number} has no name` : `unknown column: ${name}`;
