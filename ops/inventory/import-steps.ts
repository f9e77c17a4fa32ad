import { addAbortListener } from 'node:events';
import pMap, { pMapIterable } from 'p-map';
import { toJson } from '../../functions/shared/json.ts';
import { showProgress } from '../cli/progress.ts';
import type { Terminal } from '../cli/terminal.ts';
import { writesAtOnce } from '../stage/client-settings.ts';
import type { Table } from '../stage/stage.ts';
import type { Entry, Problem } from './check-entry.ts';
import { Entries, type PlacedEntry } from './entries.ts';
import {
  isSame,
  lookUpSize,
  printable,
  scanEntries,
  storedEntries,
  writeEntry,
} from './entries-table.ts';
import type { Source } from './read-entries.ts';

export interface Import {
  terminal: Terminal;
  table: Table;
  source: Source;
  onConflict: 'fail' | 'skip' | 'replace';
  report(place: number, problem: Problem): void;
}

const problemOf = ({ petId }: Entry, what: string): Problem => {
  return { reason: `petId ${petId} ${what}.`, column: 'petId', value: petId };
};

/**
 * Reads and checks every entry of a file. `fraction` returns the part of the file that has been
 * read, from 0 to 1.
 */
export const checkEntries = async (
  { terminal, source, report }: Import,
  fraction: () => number | undefined,
) => {
  const entries = new Entries();
  const counts = { read: 0, invalid: 0 };
  using progress = showProgress(terminal, 'Checked', fraction);
  const add = (entry: Entry, place: number): Problem[] => {
    const first = entries.add(entry, place);
    return first === undefined ? [] : [problemOf(entry, `is in ${source.unit} ${first} already`)];
  };
  await source.read((place, entry) => {
    const problems = Array.isArray(entry) ? entry : add(entry, place);
    for (const problem of problems) {
      report(place, problem);
    }
    counts.read += 1;
    counts.invalid += problems.length > 0 ? 1 : 0;
    progress.add();
  });
  return { entries, counts };
};

const onDifference = { fail: 'conflicts', skip: 'skipped', replace: 'toReplace' } as const;

/**
 * Looks up every entry in the table, and removes from `entries` all that need not be written.
 * `seen` maps the petId of each entry to replace to what the table holds, as JSON because that
 * takes a fifth of the memory of an object.
 */
export const planWrites = async (
  { terminal, table, onConflict, report }: Import,
  entries: Entries,
  total: number,
) => {
  const seen = new Map<string, string>();
  const counts = { toReplace: 0, unchanged: 0, skipped: 0, toCreate: 0, conflicts: 0 };
  const { value: firstPage = [] } = await scanEntries(table).next();
  const lookUp = async (batch: PlacedEntry[]) => {
    const petIds = batch.map(({ petId }) => petId);
    const stored = firstPage.length > 0 ? await storedEntries(table, petIds) : [];
    return { batch, stored: new Map(stored.map((each) => [each.petId.N, each])) };
  };
  using progress = showProgress(terminal, 'Looked up', (count) => count / total);
  for await (const { batch, stored } of pMapIterable(entries.batches(lookUpSize), lookUp, {
    concurrency: 8,
  })) {
    terminal.signal.throwIfAborted();
    for (const entry of batch) {
      const found = stored.get(entry.petId);
      const outcome = !found
        ? 'toCreate'
        : isSame(found, entry)
          ? 'unchanged'
          : onDifference[onConflict];
      counts[outcome] += 1;
      if (found && outcome === 'toReplace') {
        seen.set(entry.petId, JSON.stringify(found));
      } else if (found) {
        entries.remove(entry);
      }
      if (found && outcome === 'conflicts') {
        report(entry.place, problemOf(entry, `exists already: ${toJson(printable(found))}`));
      }
    }
    progress.add(batch.length);
  }
  return { seen, counts };
};

/**
 * Writes what was planned, in any order. After Ctrl-C or an error, it begins no more writes and
 * waits for those in flight. `failure` is the error that stopped it, if any.
 */
export const writeEntries = async (
  { terminal, table, onConflict, report }: Import,
  entries: Entries,
  {
    seen,
    counts: { toCreate, toReplace, unchanged, skipped },
  }: Awaited<ReturnType<typeof planWrites>>,
) => {
  const total = toCreate + toReplace;
  const counts = { created: 0, replaced: 0, unchanged, skipped, changed: 0, left: total };
  using progress = showProgress(terminal, 'Wrote', (count) => count / total);
  const failed = new AbortController();
  const stop = AbortSignal.any([terminal.signal, failed.signal]);
  const pending = entries.batches(1_000).flatMap((batch) => batch.values());
  addAbortListener(stop, () => pending.return?.());
  const write = async (entry: PlacedEntry) => {
    const stored = seen.get(entry.petId);
    const others = await writeEntry(table, entry, stored && JSON.parse(stored));
    const outcome = !others
      ? stored
        ? 'replaced'
        : 'created'
      : onConflict === 'skip'
        ? 'skipped'
        : 'changed';
    counts[outcome] += 1;
    counts.left -= 1;
    if (others && outcome === 'changed') {
      const what = others.now ? `changed to ${toJson(printable(others.now))}` : 'removed';
      report(
        entry.place,
        problemOf(entry, `has just been ${what} by someone else. It was left as it is`),
      );
    }
    progress.add();
  };
  const writeOrStop = (entry: PlacedEntry) => write(entry).catch((error) => failed.abort(error));
  await pMap(pending, writeOrStop, { concurrency: writesAtOnce });
  return { counts, failure: stop.reason };
};
