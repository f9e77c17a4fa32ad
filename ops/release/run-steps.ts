import { CliError } from '../cli/cli-error.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { toCliError } from '../cli/to-cli-error.ts';
import type { Step } from './step.ts';

interface RunOptions {
  json?: boolean | undefined;
}

/**
 * Runs the steps in order until one fails or the command is interrupted. Prints which were done
 * and which were not, however it ends.
 */
export const runSteps = async (
  terminal: Terminal,
  options: RunOptions,
  steps: Step[],
): Promise<void> => {
  const progress = options.json ? terminal.stderr : terminal.stdout;
  let done = 0;
  try {
    for (const step of steps) {
      progress.write(`\nrelease: ${step.name} (${done + 1} of ${steps.length})\n`);
      await runStep(terminal, step);
      done += 1;
      if (terminal.signal.aborted) {
        throw new CliError('interrupted', 'Interrupted.', { hint: step.hintOnFailure });
      }
    }
  } finally {
    reportSteps(terminal, options, { done: steps.slice(0, done), notDone: steps.slice(done) });
  }
};

/**
 * Runs a step. After Ctrl-C, it fails at once, as cdk does, or runs to its end, as the acceptance
 * suite does.
 */
const runStep = async ({ signal }: Terminal, { name, hintOnFailure, run }: Step): Promise<void> => {
  try {
    await run();
  } catch (error) {
    const { code, message, details, cause } = toCliError(error);
    const hint = details.hint ? `${details.hint}\n${hintOnFailure}` : hintOnFailure;
    const reason = signal.aborted ? 'interrupted' : code;
    throw new CliError(reason, `${name}: ${message}`, { hint, cause });
  }
};

const reportSteps = (
  terminal: Terminal,
  options: RunOptions,
  steps: { done: Step[]; notDone: Step[] },
): void => {
  const done = steps.done.map(({ name }) => name);
  const notDone = steps.notDone.map(({ name }) => name);
  const summary = `release: done: ${listed(done)}; not done: ${listed(notDone)}.`;
  print(terminal, options, { done, notDone }, `\n${summary}`);
};

const listed = (names: string[]): string => (names.length === 0 ? 'nothing' : names.join(', '));
