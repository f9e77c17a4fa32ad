import pMap, { pMapIterable } from 'p-map';
import type { StoredEntry } from '../../functions/inventory/stored-entry.ts';
import { toJson } from '../../functions/shared/json.ts';
import { showProgress } from '../cli/progress.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Table } from '../stage/stage.ts';
import { checkEntry, Wrong } from './check-entry.ts';
import { Entries, type Entry } from './entries.ts';
import { isSame, lookUpSize, printable, scanEntries, storedEntries, writeEntry } from './entries-table.ts';
import type { Source } from './read-entries.ts';

export interface Import {
  terminal: Terminal;
  table: Table;
  source: Source;
  onConflict: 'fail' | 'skip' | 'replace';
  /** Tells what is wrong in the entry at a place. */
  report(place: number, wrong: Wrong): void;
}

const aboutPetId = ({ petId }: Entry, what: string): Wrong => new Wrong(`petId ${petId} ${what}.`, 'petId', petId);

/** Reads and checks every entry of a file. `fraction` is how much of it has been read. */
export const checkEntries = async ({ terminal, source, report }: Import, fraction: () => number | undefined) => {
  const entries = new Entries();
  const counts = { read: 0, invalid: 0 };
  const progress = showProgress(terminal, 'Checked');
  await source.read((place, value) => {
    counts.read += 1;
    progress.update(counts.read, fraction());
    const item = checkEntry(value);
    if (!Array.isArray(item)) {
      entries.add(item, place);
      return;
    }
    counts.invalid += 1;
    for (const wrong of item) {
      report(place, wrong);
    }
  });
  entries.removeDuplicates((entry, firstPlace) => {
    counts.invalid += 1;
    report(entry.place, aboutPetId(entry, `is in ${source.unit} ${firstPlace} already`));
  });
  progress.end();
  return { entries, ...counts };
};

/**
 * Looks up every entry in the table and decides what to do with it. `writes` are the indices of those to create or to
 * replace, `seen` what the table holds of the latter, as JSON, which takes a fifth of the memory of an object.
 */
export const planWrites = async ({ terminal, table, onConflict, report }: Import, entries: Entries) => {
  const writes: number[] = [];
  const seen = new Map<number, string>();
  const counts = { toReplace: 0, unchanged: 0, skipped: 0, conflicts: 0 };
  const decide = (index: number, entry: Entry, stored: StoredEntry | undefined) => {
    if (!stored) {
      writes.push(index);
    } else if (isSame(stored, entry)) {
      counts.unchanged += 1;
    } else if (onConflict === 'skip') {
      counts.skipped += 1;
    } else if (onConflict === 'fail') {
      counts.conflicts += 1;
      report(entry.place, aboutPetId(entry, `exists already: ${toJson(printable(stored))}`));
    } else {
      counts.toReplace += 1;
      writes.push(index);
      seen.set(index, JSON.stringify(stored));
    }
  };
  const { value: firstPage = [] } = await scanEntries(table).next();
  const lookUp = async (start: number) => {
    terminal.signal.throwIfAborted();
    const length = Math.min(lookUpSize, entries.length - start);
    const batch = Array.from({ length }, (_value, i) => entries.at(start + i));
    const petIds = batch.map(({ petId }) => String(petId));
    const stored = firstPage.length > 0 ? await storedEntries(table, petIds) : [];
    return { start, batch, stored: new Map(stored.map((each) => [BigInt(each.petId.N), each])) };
  };
  const starts = Array.from({ length: Math.ceil(entries.length / lookUpSize) }, (_value, i) => i * lookUpSize);
  const progress = showProgress(terminal, 'Looked up');
  for await (const { start, batch, stored } of pMapIterable(starts, lookUp, { concurrency: 8 })) {
    for (const [i, entry] of batch.entries()) {
      decide(start + i, entry, stored.get(entry.petId));
    }
    progress.update(start + batch.length, (start + batch.length) / entries.length);
  }
  progress.end();
  return { writes, seen, ...counts, toCreate: writes.length - counts.toReplace };
};

/** Writes what was planned, in any order. After a signal, or an error that it then throws, the writes under way end. */
export const writeEntries = async (
  { terminal, table, onConflict, report }: Import,
  entries: Entries,
  { writes, seen, unchanged, skipped }: Awaited<ReturnType<typeof planWrites>>,
) => {
  const counts = { created: 0, replaced: 0, unchanged, skipped, changed: 0, left: writes.length };
  const progress = showProgress(terminal, 'Wrote');
  const write = async (index: number) => {
    const entry = entries.at(index);
    const stored = seen.get(index);
    const others = await writeEntry(table, entry, stored && JSON.parse(stored));
    if (!others) {
      counts[stored ? 'replaced' : 'created'] += 1;
    } else if (onConflict === 'skip') {
      counts.skipped += 1;
    } else {
      counts.changed += 1;
      const what = others.now ? `changed meanwhile: ${toJson(printable(others.now))}` : 'removed meanwhile';
      report(entry.place, aboutPetId(entry, `was ${what}; it is left as it is`));
    }
    counts.left -= 1;
    progress.update(writes.length - counts.left, 1 - counts.left / writes.length);
  };
  const failures: unknown[] = [];
  const pending = function* () {
    for (const index of writes) {
      if (terminal.signal.aborted || failures.length > 0) {
        return;
      }
      yield index;
    }
  };
  await pMap(pending(), (index) => write(index).catch((error) => failures.push(error)), { concurrency: 64 });
  progress.end();
  if (failures.length > 0) {
    throw failures[0];
  }
  return counts;
};
