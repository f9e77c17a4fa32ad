import { oneLine } from './terminal.ts';

interface TextTable {
  head: string[];
  rows: string[][];
  /** The most columns of the screen that the table may take, if it can. */
  width: number;
  /** The index of the column whose cells are cut off if the table is too wide. */
  flexible: number;
}

const gap = '  ';
const segmenter = new Intl.Segmenter();
const charactersOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Cuts a text off, or fills it up with spaces. */
const fit = (text: string, width: number): string => {
  const characters = charactersOf(text);
  return characters.length > width
    ? `${characters.slice(0, width - 1).join('')}…`
    : text + ' '.repeat(width - characters.length);
};

/** Returns the lines of a table, its head first. No cell can control the terminal. */
export const textTable = ({ head, rows, width, flexible }: TextTable): string[] => {
  const cells = [head, ...rows].map((row) => row.map(oneLine));
  const widths = head.map((_name, column) =>
    Math.max(...cells.map((row) => charactersOf(row[column] ?? '').length)),
  );
  const total = widths.reduce((sum, each) => sum + each + gap.length, -gap.length);
  const excess = Math.max(0, total - width);
  const shown = widths.map((each, column) =>
    column === flexible ? Math.max(charactersOf(head[column] ?? '').length, each - excess) : each,
  );
  return cells.map((row) =>
    row
      .map((cell, column) => fit(cell, shown[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
};
