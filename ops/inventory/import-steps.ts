import pMap, { pMapIterable } from 'p-map';
import type { StoredEntry } from '../../functions/inventory/stored-entry.ts';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/cli-error.ts';
import { showProgress } from '../cli/progress.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Table } from '../stage/stage.ts';
import { checkEntry, Wrong } from './check-entry.ts';
import { Entries, type Entry } from './entries.ts';
import { isSame, lookUpSize, printable, scanEntries, storedEntries, writeEntry } from './entries-table.ts';
import type { Source } from './read-entries.ts';

export type OnConflict = 'fail' | 'skip' | 'replace';

/** Tells what is wrong in the entry at a place. */
export type Report = (place: number, wrong: Wrong) => void;

/** As many as stay within 400 MiB of memory, whatever is in the file. */
export const mostEntries = 2_000_000;

const wrongPetId = ({ petId }: Entry, what: string): Wrong => new Wrong(`petId ${petId} ${what}.`, 'petId', petId);

/** Reads and checks every entry of a file; `fraction` tells how much of the file has been read. */
export const checkEntries = async (
  terminal: Terminal,
  { unit, read }: Source,
  fraction: () => number | undefined,
  report: Report,
) => {
  const entries = new Entries();
  const counts = { read: 0, invalid: 0 };
  const progress = showProgress(terminal, 'Checked');
  await read((place, value) => {
    counts.read += 1;
    progress.update(counts.read, fraction());
    const item = checkEntry(value);
    if (entries.length === mostEntries) {
      throw new CliError('invalid', `There are more than ${mostEntries.toLocaleString('en')} entries: split the file.`);
    }
    if (Array.isArray(item)) {
      counts.invalid += 1;
      for (const wrong of item) {
        report(place, wrong);
      }
    } else {
      entries.add(item, place);
    }
  });
  entries.removeDuplicates((entry, firstPlace) => {
    counts.invalid += 1;
    report(entry.place, wrongPetId(entry, `is in ${unit} ${firstPlace} already`));
  });
  progress.end();
  return { entries, ...counts };
};

/**
 * Looks up every entry in the table and decides what to do with it. `writes` are those to create, and to replace with
 * what the table holds of them in JSON, which takes less memory than objects; by index.
 */
export const planWrites = async (
  terminal: Terminal,
  table: Table,
  entries: Entries,
  onConflict: OnConflict,
  report: Report,
) => {
  const writes = new Map<number, string | undefined>();
  const counts = { toReplace: 0, unchanged: 0, skipped: 0, conflicts: 0 };
  const decide = (index: number, stored: StoredEntry | undefined) => {
    const entry = entries.at(index);
    if (!stored) {
      writes.set(index, undefined);
    } else if (isSame(stored, entry)) {
      counts.unchanged += 1;
    } else if (onConflict === 'skip') {
      counts.skipped += 1;
    } else if (onConflict === 'fail') {
      counts.conflicts += 1;
      report(entry.place, wrongPetId(entry, `exists already: ${toJson(printable(stored))}`));
    } else {
      counts.toReplace += 1;
      writes.set(index, JSON.stringify(stored));
    }
  };
  const { value: firstPage = [] } = await scanEntries(table).next();
  const batches = function* () {
    for (let start = 0; start < entries.length; start += lookUpSize) {
      terminal.signal.throwIfAborted();
      yield Array.from({ length: Math.min(lookUpSize, entries.length - start) }, (_value, i) => start + i);
    }
  };
  const lookUp = async (batch: number[]) => {
    const petIds = batch.map((index) => String(entries.at(index).petId));
    const stored = firstPage.length > 0 ? await storedEntries(table, petIds) : new Map<string, StoredEntry>();
    return batch.map((index, i) => ({ index, stored: stored.get(petIds[i] ?? '') }));
  };
  const progress = showProgress(terminal, 'Looked up');
  for await (const batch of pMapIterable(batches(), lookUp, { concurrency: 8 })) {
    for (const { index, stored } of batch) {
      decide(index, stored);
      progress.update(index + 1, (index + 1) / entries.length);
    }
  }
  progress.end();
  return { writes, ...counts, toCreate: writes.size - counts.toReplace };
};

export type Plan = Awaited<ReturnType<typeof planWrites>>;

/** Writes what was planned, in any order. After a signal, or an error that it then throws, the writes under way end. */
export const writeEntries = async (
  terminal: Terminal,
  table: Table,
  entries: Entries,
  { writes, unchanged, skipped }: Plan,
  onConflict: OnConflict,
  report: Report,
) => {
  const counts = { created: 0, replaced: 0, unchanged, skipped, changed: 0, left: writes.size };
  const progress = showProgress(terminal, 'Wrote');
  const failures: unknown[] = [];
  const write = async ([index, seen]: [number, string | undefined]) => {
    const entry = entries.at(index);
    const others = await writeEntry(table, entry, seen && JSON.parse(seen));
    if (!others) {
      counts[seen ? 'replaced' : 'created'] += 1;
    } else if (onConflict === 'skip') {
      counts.skipped += 1;
    } else {
      counts.changed += 1;
      const what = others.now ? `was changed meanwhile: ${toJson(printable(others.now))}` : 'was removed meanwhile';
      report(entry.place, wrongPetId(entry, `${what}; it is left as it is`));
    }
    counts.left -= 1;
    progress.update(writes.size - counts.left, 1 - counts.left / writes.size);
  };
  const pending = function* () {
    for (const planned of writes) {
      if (terminal.signal.aborted || failures.length > 0) {
        return;
      }
      yield planned;
    }
  };
  await pMap(pending(), (planned) => write(planned).catch((error) => failures.push(error)), { concurrency: 64 });
  progress.end();
  if (failures.length > 0) {
    throw failures[0];
  }
  return counts;
};
