import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '../../..'));

/**
 * Returns the paths within the project of its files that match, except ignored ones. Needs a git
 * checkout.
 */
export const trackedFiles = (name: RegExp): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => name.test(file) && existsSync(file));
