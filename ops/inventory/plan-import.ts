import type { InventoryItem } from '../../functions/inventory/inventory-item.ts';
import { inOrder } from '../in-order.ts';
import type { Table } from '../stage/stage.ts';
import { checkLine } from './check-line.ts';
import { existingEntries, isEmpty, lookUpSize } from './existing-entries.ts';
import { FirstLines } from './first-lines.ts';
import type { OnConflict, Planned } from './journal.ts';
import { isSame, type PlannedWrite } from './planned-write.ts';
import type { Problem, SourceLine } from './source-line.ts';

interface CheckedLine {
  line: number;
  item: InventoryItem;
}

export interface PlanOptions {
  onConflict: OnConflict;
  report(problem: Problem): void;
  /** Called with every batch of entries that are to be written. */
  plan(writes: PlannedWrite[]): Promise<void>;
  onRead(entries: number): void;
}

const lookUpsAtOnce = 8;

/** Checks every line, looks up what is there already, and decides for each entry what to do with it. */
export const planImport = async (
  table: Table,
  source: AsyncIterable<SourceLine>,
  { onConflict, report, plan, onRead }: PlanOptions,
): Promise<Planned & { conflicts: number }> => {
  const planned = { read: 0, invalid: 0, unchanged: 0, skipped: 0, toCreate: 0, toReplace: 0, conflicts: 0 };

  // All that grows with the file.
  const firstLines = new FirstLines();
  const check = (sourceLine: SourceLine): CheckedLine | undefined => {
    const { line } = sourceLine;
    planned.read += 1;
    onRead(planned.read);
    const item = checkLine(sourceLine);
    const wrong = Array.isArray(item) ? item : [];
    if (!Array.isArray(item)) {
      const first = firstLines.add(item.petId, line);
      if (first === undefined) {
        return { line, item };
      }
      wrong.push(['petId', `petId ${item.petId} is in line ${first} already.`]);
    }
    planned.invalid += 1;
    for (const [field, reason] of wrong) {
      report({ line, field, reason });
    }
    return undefined;
  };

  const decide = ({ line, item }: CheckedLine, seen: PlannedWrite['seen']): PlannedWrite | undefined => {
    if (!seen) {
      planned.toCreate += 1;
      return { line, item };
    }
    if (onConflict === 'skip') {
      planned.skipped += 1;
    } else if (onConflict === 'fail') {
      planned.conflicts += 1;
      report({ line, field: 'petId', reason: `petId ${item.petId} exists already.` });
    } else if (isSame(seen, item)) {
      planned.unchanged += 1;
    } else {
      planned.toReplace += 1;
      return { line, item, seen };
    }
    return undefined;
  };

  const nothingThere = await isEmpty(table);
  const lookUp = async (batch: CheckedLine[]) => {
    const petIds = batch.map(({ item }) => item.petId);
    return { batch, existing: nothingThere ? new Map() : await existingEntries(table, petIds) };
  };
  for await (const { batch, existing } of inOrder(batches(source, check), lookUpsAtOnce, lookUp)) {
    await plan(batch.flatMap((checked) => decide(checked, existing.get(checked.item.petId)) ?? []));
  }
  return planned;
};

async function* batches(
  source: AsyncIterable<SourceLine>,
  check: (line: SourceLine) => CheckedLine | undefined,
): AsyncGenerator<CheckedLine[]> {
  let batch: CheckedLine[] = [];
  for await (const sourceLine of source) {
    const checked = check(sourceLine);
    if (checked) {
      batch.push(checked);
    }
    if (batch.length === lookUpSize) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}
