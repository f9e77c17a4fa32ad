import pMap from 'p-map';
import type { InventoryItem } from '../../functions/inventory/item.ts';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { CliError } from '../cli/cli-error.ts';
import { showProgress } from '../cli/progress.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Table } from '../stage/stage.ts';
import type { Place } from './check-item.ts';
import { isSame, storedItems } from './stored-items.ts';

/** What to do with items that exist with other values. */
export const conflictActions = ['fail', 'skip', 'replace'] as const;
export type ConflictAction = (typeof conflictActions)[number];

/** An item to import. */
export interface PlacedItem {
  /** Where it is in the file. */
  place: Place;
  item: InventoryItem;
  /** What the table holds for its petId, if anything. */
  seen?: StoredItem | undefined;
}

export interface Plan {
  writes: PlacedItem[];
  /** Items that stop the import, because they exist with other values. */
  conflicts: PlacedItem[];
  counts: { toCreate: number; toReplace: number; unchanged: number; skipped: number };
}

/** Decides what to write. */
export const planWrites = (found: PlacedItem[], onConflict: ConflictAction): Plan => {
  const created = found.filter(({ seen }) => seen === undefined);
  const differing = found.filter(({ item, seen }) => seen !== undefined && !isSame(seen, item));
  const replaced = onConflict === 'replace' ? differing : [];
  return {
    writes: [...created, ...replaced],
    conflicts: onConflict === 'fail' ? differing : [],
    counts: {
      toCreate: created.length,
      toReplace: replaced.length,
      unchanged: found.length - created.length - differing.length,
      skipped: onConflict === 'skip' ? differing.length : 0,
    },
  };
};

/** The most items that one BatchGetItem request may look up. */
const lookUpSize = 100;
const lookUpsAtOnce = 8;

/** Looks up every item in the table, and returns them with what it holds. */
export const lookUp = async (
  terminal: Terminal,
  table: Table,
  items: PlacedItem[],
): Promise<PlacedItem[]> => {
  const progress = showProgress(terminal, 'Looked up', (count) => count / items.length);
  // Node 24.0.0 does not dispose of a variable that a closure uses.
  using _shown = progress;
  const lookUpBatch = async (batch: PlacedItem[]): Promise<PlacedItem[]> => {
    if (terminal.signal.aborted) {
      throw new CliError('interrupted', 'Interrupted. Nothing was written.');
    }
    const petIds = batch.map(({ item }) => String(item.petId));
    const stored = await storedItems(table, petIds);
    const byPetId = new Map(stored.map((each) => [each.petId.N, each]));
    progress.add(batch.length);
    return batch.map((placed) => ({ ...placed, seen: byPetId.get(String(placed.item.petId)) }));
  };
  const found = await pMap(batchesOf(items), lookUpBatch, { concurrency: lookUpsAtOnce });
  return found.flat();
};

function* batchesOf(items: PlacedItem[]): Generator<PlacedItem[]> {
  for (let start = 0; start < items.length; start += lookUpSize) {
    yield items.slice(start, start + lookUpSize);
  }
}
