import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { InventoryItem } from '../../functions/inventory/inventory-item.ts';
import { CliError } from '../cli/cli-error.ts';
import type { Existing } from './existing-entries.ts';
import { lines } from './lines.ts';
import type { PlannedWrite } from './planned-write.ts';

/** What an import is about; the first line of its journal. */
export interface ImportHeader {
  /** The file, as it was given. */
  input: string;
  stageName: string;
  tableId: string;
  onConflict: OnConflict;
}

export type OnConflict = 'fail' | 'skip' | 'replace';

/** What is to become of the entries that were read. */
export interface Planned {
  read: number;
  invalid: number;
  unchanged: number;
  skipped: number;
  toCreate: number;
  toReplace: number;
}

/** What became of the first `done` of the entries to write. */
export interface WriteProgress {
  done: number;
  created: number;
  replaced: number;
  /** Appeared meanwhile, and were to be skipped then. */
  skipped: number;
  /** Others had changed them meanwhile, so they were left alone. */
  changed: number;
}

type JournalLine = [line: number, petId: string, quantity: number, status: InventoryItem['status'], seen?: Existing];

const toLine = ({ line, item, seen }: PlannedWrite): JournalLine => [
  line,
  String(item.petId),
  item.quantity,
  item.status,
  ...((seen ? [seen] : []) as [Existing?]),
];

/**
 * The file that an import can be resumed from. Its lines are the header, an array for each entry to write,
 * the plan's figures once all are there, and the progress every now and then.
 */
export class Journal {
  readonly path: string;
  readonly #handle: FileHandle;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  async plan(writes: PlannedWrite[]): Promise<void> {
    await this.#handle.appendFile(writes.map((write) => `${JSON.stringify(toLine(write))}\n`).join(''));
  }

  /** From here on the import can be resumed, even if the machine stops. */
  async seal(planned: Planned): Promise<void> {
    await this.#handle.datasync();
    await this.record({ planned });
    await this.#handle.datasync();
  }

  async record(line: { planned: Planned } | { progress: WriteProgress }): Promise<void> {
    // A line that a crash cut short must not spoil the next.
    await this.#handle.appendFile(`\n${JSON.stringify(line)}\n`);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.path);
  }
}

/** Begins a journal; there must be none yet. */
export const createJournal = async (path: string, header: ImportHeader): Promise<Journal> => {
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new CliError(
          'conflict',
          `${path} is there: this import was begun. Resume it: npx petstore inventory resume ${path}\nOr remove the file, to begin anew.`,
        )
      : error;
  });
  await handle.appendFile(`${JSON.stringify(header)}\n`);
  return new Journal(path, handle);
};

export interface OpenedJournal {
  journal: Journal;
  header: ImportHeader;
  planned: Planned;
  progress: WriteProgress | undefined;
}

/** Reads a journal to its end. */
export const openJournal = async (path: string): Promise<OpenedJournal> => {
  let header: ImportHeader | undefined;
  let planned: Planned | undefined;
  let progress: WriteProgress | undefined;
  for await (const line of linesOf(path)) {
    if (header === undefined) {
      header = parsed(line) as ImportHeader | undefined;
      if (!header?.tableId) {
        throw new CliError('invalid', `${path} is no journal of an import.`);
      }
    } else if (line.startsWith('{')) {
      const { planned: newPlanned = planned, progress: newProgress = progress } = (parsed(line) ??
        {}) as Partial<OpenedJournal>;
      planned = newPlanned;
      progress = newProgress;
    }
  }
  if (!header || !planned) {
    throw new CliError('invalid', `${path} was cut off before anything was written. Remove it and import again.`);
  }
  return { journal: new Journal(path, await open(path, 'a')), header, planned, progress };
};

/** The entries to write, without the first `skip` ones. */
export async function* plannedWrites(path: string, skip: number): AsyncGenerator<PlannedWrite> {
  let index = 0;
  for await (const text of linesOf(path)) {
    if (text.startsWith('[') && index++ >= skip) {
      const [line, petId, quantity, status, seen] = JSON.parse(text) as JournalLine;
      yield { line, item: { petId: BigInt(petId), quantity, status }, ...(seen && { seen }) };
    }
  }
}

const linesOf = (path: string) => lines(createReadStream(path, 'utf8'));

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};
