import type { Terminal } from '../../cli/terminal.ts';
import type { Table } from '../../stage/stage.ts';
import type { Entry, Problem } from '../entries/check-entry.ts';
import type { EntrySource } from '../files/entry-source.ts';
import type { ProblemReport } from './problem-report.ts';

/** What to do with entries that exist with other values. */
export const conflictActions = ['fail', 'skip', 'replace'] as const;
export type ConflictAction = (typeof conflictActions)[number];

/** What every step of an import uses. */
export interface ImportJob {
  terminal: Terminal;
  table: Table;
  source: EntrySource;
  onConflict: ConflictAction;
  report: ProblemReport;
}

/** Returns the problem of a valid entry, such as that its petId `exists already`. */
export const problemOf = ({ petId }: Entry, what: string): Problem => {
  return { reason: `petId ${petId} ${what}.`, column: 'petId', value: petId };
};
