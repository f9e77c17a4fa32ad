// A sale in a file, where it survives the end of the program that makes it.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface Sale {
  petId: string;
  /** How many are sold. */
  sold: string;
  /** How many that leaves. */
  left: string;
  /** The ETag of the entry of which they are sold. */
  etag: string;
  idempotencyKey: string;
  /** In milliseconds since 1970. */
  firstSentAt: number;
  /** Otherwise, nobody knows yet. */
  isSold: boolean;
}

/** Returns the sale that a file contains, or undefined if there is no such file. */
export const readSale = (file: string): Sale | undefined => {
  if (!existsSync(file)) {
    return undefined;
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} contains no sale.`, { cause });
  }
};

/** Stores a sale in a file. When this has returned, it even survives a power failure. */
export const storeSale = (file: string, sale: Sale): void => {
  const next = `${file}.new`;
  flush(next, 'w', (descriptor) => writeFileSync(descriptor, JSON.stringify(sale)));
  // Whenever the program ends, the file is either as before or complete.
  renameSync(next, file);
  // Windows has no such call for a folder.
  if (process.platform !== 'win32') {
    flush(dirname(file), 'r');
  }
};

/** Opens a file or a folder, writes, and waits until that is on the disk. */
const flush = (path: string, flags: string, write = (_descriptor: number): void => {}): void => {
  const descriptor = openSync(path, flags);
  try {
    write(descriptor);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};
