import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { project } from './tools.ts';

const options = ['-z', '--cached', '--others', '--exclude-standard'];

/** Returns the paths within the project of its files that match, except ignored ones. */
export const trackedFiles = (name: RegExp): string[] =>
  execFileSync('git', [...repository(), 'ls-files', ...options], {
    cwd: project,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => name.test(file) && existsSync(join(project, file)));

/** Returns the options by which git takes the project for a repository, also if it is a copy of one. */
const repository = (): string[] => {
  if (hasRepository) {
    return [];
  }
  const directory = mkdtempSync(join(tmpdir(), 'repository-'));
  execFileSync('git', ['init', '--quiet', '--bare', directory]);
  return [`--git-dir=${directory}`, `--work-tree=${project}`];
};

/** Whether the project is a git checkout, and not a copy of its files, such as a downloaded archive. */
const hasRepository = existsSync(join(project, '.git'));
