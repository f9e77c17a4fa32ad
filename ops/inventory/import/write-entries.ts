import { addAbortListener } from 'node:events';
import pMap from 'p-map';
import { toJson } from '../../../functions/shared/json.ts';
import { showProgress } from '../../cli/progress.ts';
import { writesAtOnce } from '../../stage/client-settings.ts';
import type { PositionedEntry, SortedEntries } from '../entries/sorted-entries.ts';
import { writeEntry } from '../table/change-entry.ts';
import { printable } from '../table/stored-entries.ts';
import { type ImportJob, problemOf } from './import-job.ts';
import type { Plan } from './plan-writes.ts';

const entriesAtOnce = 1_000;

/**
 * Writes what was planned, in any order. After Ctrl-C or an error, it begins no more writes and
 * waits for those in flight. `failure` is the error that stopped it, if any.
 */
export const writeEntries = async (job: ImportJob, entries: SortedEntries, plan: Plan) => {
  const { toCreate, toReplace, unchanged, skipped } = plan.counts;
  const total = toCreate + toReplace;
  const counts = { created: 0, replaced: 0, unchanged, skipped, changed: 0, left: total };
  const progress = showProgress(job.terminal, 'Wrote', (count) => count / total);
  // Node 24.0.0 does not dispose of a variable that a closure uses.
  using _shown = progress;
  const failed = new AbortController();
  const stop = AbortSignal.any([job.terminal.signal, failed.signal]);
  const pending = entries.batches(entriesAtOnce).flatMap((batch) => batch.values());
  addAbortListener(stop, () => pending.return?.());
  const writeOrStop = async (entry: PositionedEntry) => {
    try {
      const outcome = await writeOne(job, entry, plan.seen.get(entry.petId));
      counts[outcome] += 1;
      counts.left -= 1;
      progress.add();
    } catch (error) {
      failed.abort(error);
    }
  };
  await pMap(pending, writeOrStop, { concurrency: writesAtOnce });
  return { counts, failure: stop.reason };
};

/**
 * Writes one entry. `seen` is the entry to replace, in JSON. An entry that others have changed in
 * the meantime stays as they left it.
 */
const writeOne = async (
  { table, onConflict, report }: ImportJob,
  entry: PositionedEntry,
  seen: string | undefined,
): Promise<'created' | 'replaced' | 'skipped' | 'changed'> => {
  const others = await writeEntry(table, entry, seen && JSON.parse(seen));
  if (!others) {
    return seen ? 'replaced' : 'created';
  }
  if (onConflict === 'skip') {
    return 'skipped';
  }
  const what = others.now ? `changed to ${toJson(printable(others.now))}` : 'removed';
  const message = `has just been ${what} by someone else. It was left as it is`;
  report.add(entry.position, problemOf(entry, message));
  return 'changed';
};
