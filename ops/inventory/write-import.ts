import { inOrder } from '../in-order.ts';
import type { Table } from '../stage/stage.ts';
import type { Existing } from './existing-entries.ts';
import { type OnConflict, plannedWrites, type WriteProgress } from './journal.ts';
import { type PlannedWrite, write } from './planned-write.ts';
import type { Problem } from './source-line.ts';

export interface WriteOptions {
  onConflict: OnConflict;
  /** Ends it after the writes under way. */
  signal: AbortSignal;
  report(problem: Problem): void;
  /** Called after every entry. */
  onProgress(progress: WriteProgress): Promise<void>;
}

const writesAtOnce = 64;

/** Writes what a journal plans, from where it stood. */
export const writeImport = async (
  table: Table,
  journalPath: string,
  from: WriteProgress,
  { onConflict, signal, report, onProgress }: WriteOptions,
): Promise<void> => {
  const progress = { ...from };
  const tryWrite = async (planned: PlannedWrite) => ({ planned, written: await write(table, planned) });
  const writes = until(signal, plannedWrites(journalPath, from.done));
  for await (const { planned, written } of inOrder(writes, writesAtOnce, tryWrite)) {
    progress.done += 1;
    if (written.by === 'us') {
      progress[planned.seen ? 'replaced' : 'created'] += 1;
    } else if (onConflict === 'skip') {
      progress.skipped += 1;
    } else {
      progress.changed += 1;
      report({
        line: planned.line,
        field: 'petId',
        reason: `${changedMeanwhile(planned, written.now)} Left as it is.`,
      });
    }
    await onProgress(progress);
  }
};

async function* until<Item>(signal: AbortSignal, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    if (signal.aborted) {
      return;
    }
    yield item;
  }
}

const changedMeanwhile = ({ item: { petId } }: PlannedWrite, now: Existing | undefined): string =>
  now
    ? `petId ${petId} was changed meanwhile: its quantity is ${now.quantity?.N}, its status ${now.status?.S}.`
    : `petId ${petId} was removed meanwhile.`;
