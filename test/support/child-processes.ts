import { execFileSync } from 'node:child_process';

/** Process ids of the children of a process, as they are now: of an npm start, the instances of its functions. */
export const childProcesses = (parent: number | undefined): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
