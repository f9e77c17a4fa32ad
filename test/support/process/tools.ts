import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const project = join(import.meta.dirname, '../../..');

/**
 * The directory for what tests build with tools. It is kept between runs, so that nothing is
 * installed again.
 */
export const cache = join(project, '.cache');

/** Waits for a process to end and returns its exit code, standard output and standard error. */
export const ended = async (
  child: ChildProcess,
): Promise<{ code: number | null; output: string; errors: string }> => {
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  return { code, output, errors };
};

/** Runs a program in the project's root and waits for its end. */
export const runProgram = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  ended(spawn(command, args, { cwd: project, env: { ...process.env, ...env } }));

/** Runs a program and returns all that it prints. Throws unless its exit code is 0. */
export const outputOf = async (command: string, ...args: string[]): Promise<string> => {
  const { code, output, errors } = await runProgram(command, args);
  if (code !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${code}.\n${output}${errors}`);
  }
  return output + errors;
};
