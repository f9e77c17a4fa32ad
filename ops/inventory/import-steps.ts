import pMap, { pMapIterable } from 'p-map';
import { type StoredEntry, violationOf } from '../../functions/inventory/stored-entry.ts';
import { CliError } from '../cli/cli-error.ts';
import type { Progress } from '../cli/progress.ts';
import type { Table } from '../stage/stage.ts';
import { checkEntry, type Wrong } from './check-entry.ts';
import { Entries } from './entries.ts';
import {
  describeStored,
  fromStored,
  isEmpty,
  isSame,
  lookUpSize,
  storedEntries,
  toStored,
  writeEntry,
} from './entries-table.ts';
import type { OnEntry } from './source.ts';

export type OnConflict = 'fail' | 'skip' | 'replace';

/** How an import tells what it does, and is told to stop. */
export interface Observer {
  report(place: number, wrong: Wrong): void;
  progress(work: string): Progress;
  signal: AbortSignal;
}

/** As many as stay within 400 MiB of memory, whatever is in them. */
export const mostEntries = 4_000_000;

/**
 * Reads every entry of a file and checks it; `fraction` is how much of the file has been read.
 * @throws CliError where the file cannot be read any further
 */
export const checkEntries = async (
  read: (onEntry: OnEntry) => Promise<void>,
  fraction: () => number | undefined,
  { report, progress }: Observer,
) => {
  const entries = new Entries();
  const counts = { read: 0, invalid: 0 };
  const checking = progress('Checked');
  await read((place, value) => {
    counts.read += 1;
    checking.update(counts.read, fraction());
    if (entries.length === mostEntries) {
      throw new CliError('invalid', `There are more than ${mostEntries.toLocaleString('en')} entries. Split the file.`);
    }
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
  entries.removeDuplicates((place, petId, first) => {
    counts.invalid += 1;
    report(place, { column: 'petId', value: String(petId), reason: `petId ${petId} is there already, in ${first}.` });
  });
  checking.end();
  return { entries, ...counts };
};

/** What to do with the entries of a file, as the table was when they were looked up. */
export interface Plan {
  /** Indices of entries. */
  creates: number[];
  replaces: number[];
  /** What each of `replaces` stands in place of, if it keeps the contract; by its index there. */
  seen: Entries;
  /** The same, if it breaks the contract. */
  broken: Map<number, StoredEntry>;
  unchanged: number;
  skipped: number;
  conflicts: number;
}

/** Looks up every entry in the table and decides what to do with it. */
export const planWrites = async (
  table: Table,
  entries: Entries,
  onConflict: OnConflict,
  { report, progress, signal }: Observer,
): Promise<Plan> => {
  const counts = { unchanged: 0, skipped: 0, conflicts: 0 };
  const plan = { creates: [] as number[], replaces: [] as number[], seen: new Entries(), broken: new Map() };
  const decide = (index: number, stored: StoredEntry | undefined) => {
    const item = entries.at(index);
    if (!stored) {
      plan.creates.push(index);
    } else if (isSame(stored, item)) {
      counts.unchanged += 1;
    } else if (onConflict === 'skip') {
      counts.skipped += 1;
    } else if (onConflict === 'fail') {
      counts.conflicts += 1;
      const reason = `petId ${item.petId} exists already, with ${describeStored(stored)}.`;
      report(entries.placeAt(index), { column: 'petId', value: String(item.petId), reason });
    } else {
      const isBroken = violationOf(stored) !== undefined;
      plan.seen.add(isBroken ? item : fromStored(stored));
      if (isBroken) {
        plan.broken.set(plan.replaces.length, stored);
      }
      plan.replaces.push(index);
    }
  };
  const nothingThere = await isEmpty(table);
  const batches = function* () {
    for (let start = 0; start < entries.length; start += lookUpSize) {
      signal.throwIfAborted();
      const end = Math.min(start + lookUpSize, entries.length);
      yield Array.from({ length: end - start }, (_value, i) => start + i);
    }
  };
  const lookUp = async (batch: number[]) => {
    const petIds = batch.map((index) => entries.petIdAt(index));
    return { batch, stored: nothingThere ? undefined : await storedEntries(table, petIds) };
  };
  const looking = progress('Looked up');
  for await (const { batch, stored } of pMapIterable(batches(), lookUp, { concurrency: 8 })) {
    for (const index of batch) {
      decide(index, stored?.get(String(entries.petIdAt(index))));
      looking.update(index + 1, (index + 1) / entries.length);
    }
  }
  looking.end();
  return { ...plan, ...counts };
};

const writesAtOnce = 64;

/** Writes what was planned, in any order. A signal, or an error that it then throws, lets the writes under way end. */
export const writeEntries = async (
  table: Table,
  entries: Entries,
  { creates, replaces, seen, broken, unchanged, skipped }: Plan,
  onConflict: OnConflict,
  { report, progress, signal }: Observer,
) => {
  const counts = { created: 0, replaced: 0, unchanged, skipped, changed: 0 };
  const toWrite = creates.length + replaces.length;
  const failures: unknown[] = [];
  let done = 0;
  const writing = progress('Wrote');
  const write = async (n: number) => {
    const position = n - creates.length;
    const index = (position < 0 ? creates[n] : replaces[position]) as number;
    const stored = position < 0 ? undefined : (broken.get(position) ?? toStored(seen.at(position)));
    const written = await writeEntry(table, entries.at(index), stored);
    if (written.by === 'us') {
      counts[stored ? 'replaced' : 'created'] += 1;
    } else if (onConflict === 'skip') {
      counts.skipped += 1;
    } else {
      counts.changed += 1;
      const now = written.now
        ? `was changed meanwhile: it has ${describeStored(written.now)}`
        : 'was removed meanwhile';
      const petId = String(entries.petIdAt(index));
      report(entries.placeAt(index), {
        column: 'petId',
        value: petId,
        reason: `petId ${petId} ${now}. Left as it is.`,
      });
    }
    done += 1;
    writing.update(done, done / toWrite);
  };
  const pending = function* () {
    for (let n = 0; n < toWrite && !signal.aborted && failures.length === 0; n++) {
      yield n;
    }
  };
  await pMap(pending(), (n) => write(n).catch((error) => failures.push(error)), { concurrency: writesAtOnce });
  writing.end();
  if (failures.length > 0) {
    throw failures[0];
  }
  return { ...counts, left: toWrite - done };
};
