import pMap from 'p-map';
import { toJson } from '../../functions/shared/json.ts';
import { showProgress } from '../cli/progress.ts';
import type { Terminal } from '../cli/terminal.ts';
import { writesAtOnce } from '../stage/client-settings.ts';
import type { Table } from '../stage/stage.ts';
import { writeItem } from './change-item.ts';
import type { Problem } from './check-item.ts';
import type { ConflictAction, PlacedItem } from './plan-writes.ts';
import { plainItem } from './stored-items.ts';
import type { PlacedProblem } from './tell-problems.ts';

interface Writes {
  table: Table;
  writes: PlacedItem[];
  onConflict: ConflictAction;
}

/**
 * Writes items, in any order. After Ctrl-C or an error, it begins no more writes and waits for
 * those in flight. `failure` is the error that stopped it, if any. An item that others have changed
 * in the meantime stays as they left it, and is named in `changed` unless it is to be skipped.
 */
export const writeItems = async (terminal: Terminal, { table, writes, onConflict }: Writes) => {
  const counts = { created: 0, replaced: 0, skipped: 0, changed: 0, left: writes.length };
  const changed: PlacedProblem[] = [];
  const progress = showProgress(terminal, 'Wrote', (count) => count / writes.length);
  // Node 24.0.0 does not dispose of a variable that a closure uses.
  using _shown = progress;
  const failed = new AbortController();
  const stop = AbortSignal.any([terminal.signal, failed.signal]);

  const writeOne = async (placed: PlacedItem): Promise<keyof typeof counts> => {
    const others = await writeItem(table, placed.item, placed.seen);
    if (!others) {
      return placed.seen ? 'replaced' : 'created';
    }
    if (onConflict === 'skip') {
      return 'skipped';
    }
    changed.push({ ...placed.place, ...changedProblem(placed, others) });
    return 'changed';
  };
  const writeOrStop = async (placed: PlacedItem): Promise<void> => {
    if (stop.aborted) {
      return;
    }
    try {
      counts[await writeOne(placed)] += 1;
      counts.left -= 1;
      progress.add();
    } catch (error) {
      failed.abort(error);
    }
  };
  await pMap(writes, writeOrStop, { concurrency: writesAtOnce });
  return { counts, changed, failure: stop.reason };
};

type Others = NonNullable<Awaited<ReturnType<typeof writeItem>>>;

const changedProblem = ({ item: { petId } }: PlacedItem, { now }: Others): Problem => {
  const what = now ? `changed to ${toJson(plainItem(now))}` : 'removed';
  const reason = `petId ${petId} has just been ${what} by someone else. It was left as it is.`;
  return { reason, column: 'petId', value: String(petId) };
};
