import { toJson } from '../../functions/http/json.ts';
import { OpsError } from '../ops-error.ts';
import { print, type StageOptions } from '../stage-command.ts';
import { interruption } from '../terminal/interruption.ts';
import { clearBar, showProgress } from '../terminal/progress.ts';
import type { ImportObserver, Summary } from './import-inventory.ts';
import type { Planned } from './journal.ts';

/** Tells of an import on the terminal; with --json, each problem is one line of JSON on standard output. */
export const importObserver = ({ json }: StageOptions): ImportObserver => ({
  report: (problem) => {
    clearBar();
    if (json) {
      console.log(toJson(problem));
    } else {
      console.error(`Line ${problem.line}: ${problem.reason}`);
    }
  },
  progress: showProgress,
  signal: interruption(),
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
 * @throws OpsError if that is not all that it was to do
 */
export const concludeImport = (options: StageOptions, summary: Summary, journalPath: string): void => {
  print(options, summary, summaryText(summary));
  if (summary.left > 0) {
    throw new OpsError('interrupted', `Interrupted. ${howToResume(journalPath)}`);
  }
  if (summary.changed > 0) {
    throw new OpsError('conflict', 'Some entries were left to others who changed them meanwhile; see above.');
  }
};

export const howToResume = (journalPath: string): string => `Resume: npm run ops -- inventory resume ${journalPath}`;
