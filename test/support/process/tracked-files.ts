import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './tools.ts';

/**
 * Returns the paths within the project of its files that match, except ignored ones. Needs a git
 * checkout.
 */
export const trackedFiles = (name: RegExp): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => name.test(file) && existsSync(join(project, file)));
