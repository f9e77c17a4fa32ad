export interface Column<Row> {
  head: string;
  /** Whether its cells are text. Numbers stand at the right. */
  isText?: boolean;
  cell: (row: Row) => string;
}

/** Returns a Markdown table. */
export const markdownTable = <Row>(columns: Column<Row>[], rows: Row[]): string => {
  const lines = [
    columns.map(({ head }) => head),
    columns.map(({ isText }) => (isText ? '---' : '---:')),
    ...rows.map((row) => columns.map(({ cell }) => cell(row))),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
};
