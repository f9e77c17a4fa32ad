import { showProgress } from '../../cli/progress.ts';
import type { Entry, Problem } from '../entries/check-entry.ts';
import { SortedEntries } from '../entries/sorted-entries.ts';
import { type ImportJob, problemOf } from './import-job.ts';

/**
 * Reads and checks every entry of a file, and returns the valid ones. `fraction` returns the part
 * of the file that has been read, from 0 to 1.
 */
export const checkEntries = async (
  { terminal, source, report }: ImportJob,
  fraction: () => number | undefined,
) => {
  const entries = new SortedEntries();
  const counts = { read: 0, invalid: 0 };
  const progress = showProgress(terminal, 'Checked', fraction);
  // Node 24.0.0 does not dispose of a variable that a closure uses.
  using _shown = progress;
  const addEntry = (entry: Entry, position: number): Problem[] => {
    const first = entries.add(entry, position);
    return first === undefined ? [] : [problemOf(entry, `is in ${source.unit} ${first} already`)];
  };
  await source.read((position, entry) => {
    const problems = Array.isArray(entry) ? entry : addEntry(entry, position);
    for (const problem of problems) {
      report.add(position, problem);
    }
    counts.read += 1;
    if (problems.length > 0) {
      counts.invalid += 1;
    }
    progress.add();
  });
  return { entries, counts };
};
