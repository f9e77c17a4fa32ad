import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';

/**
 * Runs a command on a terminal of its own. What is written to the child's standard input is typed
 * there, and all that the terminal shows is the child's standard output.
 */
export const onTerminal = (
  command: string[],
  options: SpawnOptions,
): ChildProcessWithoutNullStreams => {
  // Without exec, some shells wait for the command and then end by the Ctrl-C that it handled.
  const line = `exec ${command.map((part) => `'${part}'`).join(' ')}`;
  // The script of a Mac has other options than that of Linux.
  const args =
    process.platform === 'darwin' ? ['-q', '/dev/null', ...command] : ['-qec', line, '/dev/null'];
  return spawn('script', args, { ...options, stdio: 'pipe' });
};
