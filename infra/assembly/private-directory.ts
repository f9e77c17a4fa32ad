import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A new directory that only this user can write. It is removed when the process ends. */
export const temporaryDirectory = (parent = tmpdir()): string => {
  const directory = mkdtempSync(resolve(parent, 'petstore-inventory-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  // Node reads a bundle in it as on Lambda, whatever package.json lies further up.
  writeFileSync(join(directory, 'package.json'), '{}');
  return directory;
};

/** A directory that only this user can write: the same for every process, or a new one if others can write it. */
export const privateDirectory = (parent = tmpdir(), purpose = 'user'): string => {
  // By number: os.userInfo() fails for a user without a passwd entry. Windows has no numbers; there, tmpdir() is private.
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
  // A symbolic link has all modes.
  return user === undefined || (uid === user && (mode & 0o77) === 0) ? directory : temporaryDirectory(parent);
};
