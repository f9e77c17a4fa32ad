import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** A limit of a measured value, for a ratio or for memory. */
export interface Bar {
  what: string;
  value: number;
  limit: number;
  met: boolean;
}

/** Returns a bar. The value is rounded as it is printed: noise is larger than the rounding. */
export const bar = (what: string, value: number, limit: number): Bar => {
  const rounded = Number(value.toFixed(2));
  return { what, value: rounded, limit, met: rounded <= limit };
};

/** Prints each bar, and makes this process fail if one is missed. */
export const reportBars = (bars: Bar[]): void => {
  for (const { what, value, limit, met } of bars) {
    const verdict = met ? 'met   ' : 'MISSED';
    console.log(`${verdict}  ${value.toFixed(2)} of at most ${limit.toFixed(2)}: ${what}`);
  }
  if (bars.some(({ met }) => !met)) {
    process.exitCode = 1;
  }
};

/** Returns a number with at most this many decimals, as the results have it. */
export const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

interface Results {
  /** The command that measured them. */
  command: string;
  /** How often each handler was measured, and what a figure is of: a median, for example. */
  method: object;
  /** One object for each row of the printed table. */
  rows: object[];
  bars: Bar[];
}

/** Replaces a file of `bench/results/`, which are checked in; its README.md describes them. */
export const writeResults = (fileName: string, results: Results): void => {
  const { command, ...measured } = results;
  const [processor] = cpus();
  const context = {
    command,
    date: new Date().toISOString().slice(0, 10),
    machine: {
      cpu: processor?.model ?? 'unknown',
      cores: cpus().length,
      platform: `${process.platform}-${process.arch}`,
      node: process.version,
    },
  };
  const json = JSON.stringify({ ...context, ...measured }, null, 2);
  writeFileSync(join(import.meta.dirname, 'results', fileName), `${json}\n`);
};

/** Returns the rows of a file of `bench/results/`. */
export const readResults = <Row>(fileName: string): Row[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'results', fileName), 'utf8')).rows;

/**
 * Shows progress on a terminal, in place of the previous text. Writes nothing if stderr is not a
 * terminal.
 */
export const showProgress = (text: string): void => {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r${text}\x1b[K`);
  }
};
