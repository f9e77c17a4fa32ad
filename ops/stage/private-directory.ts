import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { temporaryDirectory } from '../../infra/assembly/temporary-directory.ts';

/**
 * Returns the directory that all processes of this user share, or a new one if other users have
 * access to it.
 */
export const privateDirectory = (parent = tmpdir(), purpose = 'user'): string => {
  // os.userInfo() would fail for a user without a passwd entry. Windows has no user ids, but its
  // tmpdir() is private.
  const user = process.getuid?.();
  const directory = resolve(parent, `petstore-inventory-${purpose}-${user ?? ''}`);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
  const { uid, mode } = lstatSync(directory);
  // This check also rejects a symbolic link, because its mode has every permission.
  return user === undefined || (uid === user && (mode & 0o77) === 0)
    ? directory
    : temporaryDirectory(parent);
};
