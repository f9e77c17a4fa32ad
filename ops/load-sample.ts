import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noProgress } from './cli/progress.ts';
import { performImport, prepareImport } from './inventory/import-inventory.ts';
import { readLines } from './inventory/read-lines.ts';
import type { Table } from './stage/stage.ts';

const input = join(import.meta.dirname, 'sample-inventory.csv');

/** Imports what a local run without data of its own starts with; both ends of int64 among it. */
export const loadSample = async (table: Table, stageName: string): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-sample-'));
  const journalPath = join(directory, 'journal');
  const settings = { input, stageName, onConflict: 'fail', skipInvalid: false, journalPath } as const;
  const observer = {
    report: console.error,
    progress: () => noProgress,
    signal: new AbortController().signal,
  };
  try {
    const source = readLines(createReadStream(input));
    const { opened } = await prepareImport(table, source, () => undefined, settings, observer);
    if (opened) {
      await performImport(table, opened, observer);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
};
