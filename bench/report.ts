import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** One handler's figures. Their names, with their units, are the heads of the printed table. */
type Row = Record<string, string | number>;

interface Report {
  /** The command that has measured, such as `npm run bench`. */
  command: string;
  /** How often each handler was measured, and what of the measurements a figure is. */
  method: string;
  rows: Row[];
}

/**
 * Prints the rows as a Markdown table, and replaces bench/results/NAME.json, which is checked in.
 */
export const report = (name: string, { command, method, rows }: Report): void => {
  const machine = `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`;
  console.log(`${method}\n${machine}\n\n${markdownTable(rows)}`);
  const results = { command, date: new Date().toISOString().slice(0, 10), machine, method, rows };
  const project = join(import.meta.dirname, '..');
  writeFileSync(
    join(project, `bench/results/${name}.json`),
    `${JSON.stringify(results, null, 2)}\n`,
  );
};

const markdownTable = (rows: Row[]): string => {
  const heads = Object.keys(rows[0] ?? {});
  const rules = heads.map((head) => (typeof rows[0]?.[head] === 'number' ? '--:' : '---'));
  const cells = rows.map((row) => heads.map((head) => row[head]?.toLocaleString('en')));
  return [heads, rules, ...cells].map((line) => `| ${line.join(' | ')} |\n`).join('');
};

/** Returns a number with at most this many decimals: what is beyond is noise. */
export const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

export const median = (values: number[]): number => quantile(values, 0.5);

/** Returns the value that the given share (0 to 1) of all values does not exceed. */
export const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** Shows progress on a terminal, in place of the previous text. */
export const showProgress = (text: string): void => {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r${text}\x1b[K`);
  }
};
