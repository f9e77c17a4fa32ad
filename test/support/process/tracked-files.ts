import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './tools.ts';

const options = ['-z', '--cached', '--others', '--exclude-standard'];

/** Returns the paths within the project of its files that match, except ignored ones. */
export const trackedFiles = (name: RegExp): string[] =>
  execFileSync('git', ['ls-files', ...options], { cwd: project, encoding: 'utf8' })
    .split('\0')
    .filter((file) => name.test(file) && existsSync(join(project, file)));
