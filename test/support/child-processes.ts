import { execFileSync } from 'node:child_process';

/** Returns the ids of a process's children. The children of `petstore start` are the instances of its functions. */
export const childProcesses = (parent: number | undefined): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
