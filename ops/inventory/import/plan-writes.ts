import { pMapIterable } from 'p-map';
import type { StoredItem } from '../../../functions/inventory/stored-item.ts';
import { toJson } from '../../../functions/shared/json.ts';
import { showProgress } from '../../cli/progress.ts';
import type { Table } from '../../stage/stage.ts';
import type { PositionedEntry, SortedEntries } from '../entries/sorted-entries.ts';
import {
  isSame,
  lookUpSize,
  printable,
  scanEntries,
  storedEntries,
} from '../table/stored-entries.ts';
import { type ConflictAction, type ImportJob, problemOf } from './import-job.ts';

export interface Plan {
  /**
   * What the table holds, by the petId of each entry to replace, as JSON because that takes a fifth
   * of the memory of an object.
   */
  seen: Map<string, string>;
  counts: {
    toReplace: number;
    unchanged: number;
    skipped: number;
    toCreate: number;
    conflicts: number;
  };
}

type Outcome = keyof Plan['counts'];

const onDifference: Record<ConflictAction, Outcome> = {
  fail: 'conflicts',
  skip: 'skipped',
  replace: 'toReplace',
};

const lookUpsAtOnce = 8;

/** Looks up every entry in the table, and removes from `entries` all that need not be written. */
export const planWrites = async (
  { terminal, table, onConflict, report }: ImportJob,
  entries: SortedEntries,
  total: number,
): Promise<Plan> => {
  const plan: Plan = {
    seen: new Map(),
    counts: { toReplace: 0, unchanged: 0, skipped: 0, toCreate: 0, conflicts: 0 },
  };
  const planOne = (entry: PositionedEntry, found: StoredItem | undefined): void => {
    const outcome = outcomeOf(entry, found, onConflict);
    plan.counts[outcome] += 1;
    if (found && outcome === 'toReplace') {
      plan.seen.set(entry.petId, JSON.stringify(found));
    } else if (found) {
      entries.remove(entry);
    }
    if (found && outcome === 'conflicts') {
      const problem = problemOf(entry, `exists already: ${toJson(printable(found))}`);
      report.add(entry.position, problem);
    }
  };
  using progress = showProgress(terminal, 'Looked up', (count) => count / total);
  for await (const { batch, stored } of lookUps(table, entries)) {
    terminal.signal.throwIfAborted();
    for (const entry of batch) {
      planOne(entry, stored.get(entry.petId));
    }
    progress.add(batch.length);
  }
  return plan;
};

const outcomeOf = (
  entry: PositionedEntry,
  found: StoredItem | undefined,
  onConflict: ConflictAction,
): Outcome => {
  if (!found) {
    return 'toCreate';
  }
  return isSame(found, entry) ? 'unchanged' : onDifference[onConflict];
};

/** Yields batches of entries, in order of petId, with what the table holds for them by petId. */
async function* lookUps(table: Table, entries: SortedEntries) {
  const { value: firstPage = [] } = await scanEntries(table).next();
  const isEmptyTable = firstPage.length === 0;
  const lookUp = async (batch: PositionedEntry[]) => {
    const petIds = batch.map(({ petId }) => petId);
    const stored = isEmptyTable ? [] : await storedEntries(table, petIds);
    return { batch, stored: new Map(stored.map((each) => [each.petId.N, each])) };
  };
  yield* pMapIterable(entries.batches(lookUpSize), lookUp, { concurrency: lookUpsAtOnce });
}
