import { toJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/cli-error.ts';
import { clearBar, showProgress } from '../cli/progress.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import type { StageOptions } from '../stage/stage-command.ts';
import type { ImportObserver, Summary } from './import-inventory.ts';
import type { Planned } from './journal.ts';

/** Tells of an import on the terminal; with --json, each problem is one line of JSON on standard output. */
export const importObserver = (terminal: Terminal, { json }: StageOptions): ImportObserver => ({
  report: (problem) => {
    clearBar(terminal);
    if (json) {
      terminal.stdout.write(`${toJson(problem)}\n`);
    } else {
      tell(terminal, `Line ${problem.line}: ${problem.reason}`);
    }
  },
  progress: (work, before) => showProgress(terminal, work, before),
  get signal() {
    return terminal.signal;
  },
});

const labels: Record<keyof Omit<Summary, 'read'>, string> = {
  created: 'created',
  replaced: 'replaced',
  unchanged: 'unchanged',
  skipped: 'skipped',
  invalid: 'invalid',
  changed: 'left to others who changed them meanwhile',
  left: 'not yet written',
};

export const summaryText = (summary: Summary): string => {
  const parts = (Object.keys(labels) as (keyof typeof labels)[])
    .filter((key) => summary[key] > 0)
    .map((key) => `${summary[key].toLocaleString('en')} ${labels[key]}`);
  return `${summary.read.toLocaleString('en')} read${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
};

export const planText = (planned: Planned): string => {
  const { toCreate, toReplace, unchanged, skipped, invalid } = planned;
  const parts = Object.entries({
    'to create': toCreate,
    'to replace': toReplace,
    unchanged,
    'to skip': skipped,
    invalid,
  })
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${count.toLocaleString('en')} ${label}`);
  return `${planned.read.toLocaleString('en')} read: ${parts.join(', ') || 'nothing to do'}. Nothing was written.`;
};

/**
 * Prints what an import has done.
 * @throws CliError if that is not all that it was to do
 */
export const concludeImport = (
  terminal: Terminal,
  options: StageOptions,
  summary: Summary,
  journalPath: string,
): void => {
  print(terminal, options, summary, summaryText(summary));
  if (summary.left > 0) {
    throw new CliError('interrupted', `Interrupted. ${howToResume(journalPath)}`);
  }
  if (summary.changed > 0) {
    throw new CliError('conflict', 'Some entries were left to others who changed them meanwhile; see above.');
  }
};

export const howToResume = (journalPath: string): string => `Resume: npx petstore inventory resume ${journalPath}`;
