import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

// The shell becomes the program. What it leaves behind waits for the end of the standard input.
const script = 'exec 3<&0; { cat; kill -9 $$; } <&3 >/dev/null 2>&1 & exec "$@" 3<&-';

/**
 * Starts a program that ends with this process, however that ends: when nobody holds the program's
 * standard input open, it is killed.
 */
export const spawnTied = (
  command: string,
  ...args: string[]
): ChildProcessByStdio<Writable, null, Readable> =>
  spawn('sh', ['-c', script, 'sh', command, ...args], { stdio: ['pipe', 'ignore', 'pipe'] });

/** Ends such a program, and waits until it has ended. */
export const endTied = async (program: ReturnType<typeof spawnTied>): Promise<void> => {
  const hasEnded = program.exitCode !== null || program.signalCode !== null;
  const end = hasEnded ? undefined : once(program, 'exit');
  program.stdin.end();
  await end;
};
