import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '../..'));

/** Paths of the files of the project whose names match, below its folder. Needs a git checkout. */
export const trackedFiles = (name: RegExp): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => name.test(file) && existsSync(file));
