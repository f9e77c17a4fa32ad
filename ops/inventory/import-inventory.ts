import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { CliError } from '../cli/cli-error.ts';
import type { Progress } from '../cli/progress.ts';
import type { Table } from '../stage/stage.ts';
import { createJournal, type OnConflict, type OpenedJournal, type Planned } from './journal.ts';
import { planImport } from './plan-import.ts';
import type { Problem, SourceLine } from './source-line.ts';
import { writeImport } from './write-import.ts';

export interface ImportSettings {
  /** Names the source. */
  input: string;
  stageName: string;
  onConflict: OnConflict;
  skipInvalid: boolean;
  /** Where to keep the journal; without it, nothing can be written. */
  journalPath: string | undefined;
}

/** How an import tells what it does, and is told to stop. */
export interface ImportObserver {
  report(problem: Problem): void;
  progress(work: string, before?: { count: number; fraction: number }): Progress;
  signal: AbortSignal;
}

/** Tells a table from one of the same name that was deleted, or ended with its local run. */
export const tableIdOf = async ({ client, TableName }: Table): Promise<string> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return `${Table?.TableArn} of ${Table?.CreationDateTime?.toISOString()}`;
};

/**
 * Checks a source and decides what to do with each of its entries, without writing any.
 * @throws CliError if it must not be imported; then it leaves no journal
 */
export const prepareImport = async (
  table: Table,
  source: AsyncIterable<SourceLine>,
  fraction: () => number | undefined,
  { input, stageName, onConflict, skipInvalid, journalPath }: ImportSettings,
  { report, progress, signal }: ImportObserver,
): Promise<{ planned: Planned; opened: OpenedJournal | undefined }> => {
  const header = { input, stageName, tableId: await tableIdOf(table), onConflict };
  const journal = journalPath === undefined ? undefined : await createJournal(journalPath, header);
  const checking = progress('Checked');
  try {
    const { conflicts, ...planned } = await planImport(table, source, {
      onConflict,
      report,
      plan: async (writes) => journal?.plan(writes),
      onRead: (count) => checking.update(count, fraction()),
    });
    checking.end();
    if (planned.invalid > 0 && !skipInvalid) {
      throw new CliError(
        'invalid',
        `${entries(planned.invalid)} invalid; --skip-invalid imports the others. Nothing was written.`,
      );
    }
    if (conflicts > 0) {
      throw new CliError(
        'conflict',
        `${entries(conflicts)} in the table already. Nothing was written.\n` +
          '--on-conflict skip leaves them as they are, --on-conflict replace sets them to what the file says.',
      );
    }
    await journal?.seal(planned);
    return { planned, opened: journal && { journal, header, planned, progress: undefined } };
  } catch (error) {
    await journal?.remove();
    throw signal.aborted ? new CliError('interrupted', 'Interrupted. Nothing was written.') : error;
  }
};

const entries = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'entry is' : 'entries are'}`;

/** What became of every entry that was read; the other figures add up to `read`. */
export interface Summary {
  read: number;
  created: number;
  replaced: number;
  unchanged: number;
  skipped: number;
  changed: number;
  invalid: number;
  /** Not yet written, when the import was interrupted. */
  left: number;
}

/** Writes what a journal plans, and removes the journal when all is written. */
export const performImport = async (
  table: Table,
  { journal, header: { onConflict }, planned, progress: from }: OpenedJournal,
  { report, progress, signal }: ImportObserver,
): Promise<Summary> => {
  let state = from ?? { done: 0, created: 0, replaced: 0, skipped: 0, changed: 0 };
  const toWrite = planned.toCreate + planned.toReplace;
  const writing = progress('Wrote', { count: state.done, fraction: state.done / toWrite });
  let savedAt = performance.now();
  try {
    await writeImport(table, journal.path, state, {
      onConflict,
      signal,
      report,
      onProgress: async (newState) => {
        state = { ...newState };
        writing.update(state.done, state.done / toWrite);
        // Now and then: what was written since is found to be there when the import is resumed.
        if (performance.now() - savedAt > 1_000) {
          savedAt = performance.now();
          await journal.record({ progress: state });
        }
      },
    });
  } finally {
    writing.end();
    if (state.done < toWrite) {
      await journal.record({ progress: state });
      await journal.close();
    } else {
      await journal.remove();
    }
  }
  return {
    read: planned.read,
    created: state.created,
    replaced: state.replaced,
    unchanged: planned.unchanged,
    skipped: planned.skipped + state.skipped,
    changed: state.changed,
    invalid: planned.invalid,
    left: toWrite - state.done,
  };
};
