import { spawnSync } from 'node:child_process';

/**
 * Returns the ids of a process's children. The children of `petstore start` are the instances of
 * its functions.
 */
export const childProcesses = (parent: number | undefined): number[] =>
  (spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' }).stdout.match(/\d+/g) ?? []).map(
    Number,
  );
