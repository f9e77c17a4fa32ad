import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '../../support/process/at-end.ts';
import { project } from '../../support/process/tools.ts';
import { trackedFiles } from '../../support/process/tracked-files.ts';

/** Copies the project to a directory in which a test may change files, with its packages. */
export const checkOut = () => {
  const directory = mkdtempSync(join(tmpdir(), 'checkout-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  for (const file of trackedFiles(/./)) {
    cpSync(join(project, file), join(directory, file));
  }
  symlinkSync(join(project, 'node_modules'), join(directory, 'node_modules'));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: directory,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  const commit = (): string => {
    git('add', '.');
    git('commit', '--quiet', '--allow-empty', '--message', 'a change');
    return git('rev-parse', 'HEAD').trim();
  };
  commit();
  const write = (file: string, text: string): void => writeFileSync(join(directory, file), text);
  const change = (file: string, changed: (text: string) => string): (() => void) => {
    const text = readFileSync(join(directory, file), 'utf8');
    write(file, changed(text));
    return () => write(file, text);
  };
  return {
    directory,
    /** Commits all changes. Returns the commit. */
    commit,
    head: (): string => git('rev-parse', 'HEAD').trim(),
    write,
    /** Adds lines to a file. Returns how to undo that. */
    append: (file: string, lines: string): (() => void) => change(file, (text) => text + lines),
    /** Replaces a part of a file. Returns how to undo that. */
    edit: (file: string, before: string | RegExp, after: string): (() => void) =>
      change(file, (text) => {
        const changed = text.replace(before, after);
        if (changed === text) {
          throw new Error(`${file} no longer has what a test replaces: ${before}`);
        }
        return changed;
      }),
  };
};
