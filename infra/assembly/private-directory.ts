import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const temporary: string[] = [];
process.once('exit', () => {
  for (const directory of temporary) {
    rmSync(directory, { recursive: true, force: true });
  }
});

/** A new directory that only this user can write. It is removed when the process ends. */
export const temporaryDirectory = (parent = tmpdir()): string => {
  const directory = mkdtempSync(join(parent, 'petstore-inventory-'));
  temporary.push(directory);
  // Node reads a bundle in it as on Lambda, whatever package.json lies further up.
  writeFileSync(join(directory, 'package.json'), '{}');
  return directory;
};

/**
 * A directory for a purpose that only this user can write, the same for every process. If somebody else has made it, or it is open
 * to others, a temporary one takes its place.
 */
export const privateDirectory = (parent = tmpdir(), purpose = 'user'): string => {
  // By number: os.userInfo() fails for a user without a passwd entry. Windows has no numbers; there, tmpdir() is private.
  const user = process.getuid?.();
  const directory = join(parent, `petstore-inventory-${purpose}-${user ?? ''}`);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    const stats = lstatSync(directory);
    if (!stats.isDirectory() || (user !== undefined && (stats.uid !== user || (stats.mode & 0o77) !== 0))) {
      return temporaryDirectory(parent);
    }
  }
  return directory;
};

/** The user's home. One without a passwd entry may have none. */
export const homeDirectory = (): string => {
  try {
    return homedir();
  } catch {
    return privateDirectory();
  }
};
