import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The script `start` of package.json. */
const script = 'node ops/petstore.cjs start';

/**
 * Calls back once the npm that runs the script `start` has ended, however it did: it hands on no
 * SIGHUP, and its SIGTERM ends the shell in between alone. What npx or another script has started may
 * go on. Windows does not show which process started which.
 */
export const whenNpmEnds = (env: NodeJS.ProcessEnv, end: () => void): void => {
  const isScript =
    env.npm_lifecycle_event === 'start' && env.npm_lifecycle_script?.startsWith(script);
  const before = isScript && process.platform !== 'win32' ? ancestors() : undefined;
  if (before === undefined) {
    return;
  }
  const look = (): void => {
    const now = ancestors();
    if (now !== undefined && String(now) !== String(before)) {
      end();
    }
  };
  setInterval(look, 1_000).unref();
};

/**
 * Returns the ids of the processes above this one, up to npm: perhaps the launcher, perhaps a shell.
 * One whose parent has ended gets another parent. Undefined if the system does not show them.
 */
const ancestors = (): number[] | undefined => {
  const found = [process.ppid];
  try {
    for (;;) {
      const { parent, command } = processAt(found.at(-1) as number);
      if (!command.includes('petstore.cjs start')) {
        return found;
      }
      found.push(parent);
    }
  } catch {
    return undefined;
  }
};

/** Returns what the system shows of a process: its parent and its command line. */
const processAt = (id: number): { parent: number; command: string } => {
  if (process.platform === 'linux') {
    const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
    // The parent's id is the second value after the name, which is in parentheses and may have some.
    const [, parent] = /^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
    return { parent: Number(parent), command };
  }
  const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(id)], { encoding: 'utf8' });
  return { parent: Number.parseInt(line, 10), command: line };
};
