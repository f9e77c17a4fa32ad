import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './tools.ts';

/** Runs git for the project, and returns what it prints. */
export const git = (args: string[], input = ''): string =>
  execFileSync('git', args, { cwd: project, encoding: 'utf8', input });

/** Returns the paths within the project of its files that match, except ignored ones. */
export const trackedFiles = (name: RegExp): string[] =>
  git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
    .split('\0')
    .filter((file) => name.test(file) && existsSync(join(project, file)));

/** Returns which of these names of files in the project git ignores. */
export const ignoredFiles = (names: string[]): string[] =>
  git(['check-ignore', '--stdin'], names.join('\n')).split('\n');
