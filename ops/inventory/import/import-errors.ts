import { CliError } from '../../cli/cli-error.ts';
import type { ProblemReport } from './problem-report.ts';

/** Invalid entries stop an import before it writes anything. */
export const invalidError = (entries: number, { kept: problems }: ProblemReport): CliError => {
  const message = `${countOf(entries)} invalid. Nothing was written.`;
  const hint = '--skip-invalid imports the others.';
  return new CliError('invalid', message, { hint, problems });
};

/** Entries that exist with other values stop it, too, unless --on-conflict says what to do. */
export const conflictError = (entries: number, { kept: problems }: ProblemReport): CliError => {
  const found = `${countOf(entries)} in the table already, with other values.`;
  const hint =
    '--on-conflict skip leaves them as they are, ' +
    '--on-conflict replace sets them to what the file says.';
  return new CliError('conflict', `${found} Nothing was written.`, { hint, problems });
};

/** The error of an import that others interfered with. It has written all it could. */
export const changedError = ({ kept: problems }: ProblemReport): CliError => {
  const message =
    'Some entries were changed by someone else during the import, and were left as they are.';
  return new CliError('conflict', message, { problems });
};

const countOf = (entries: number): string =>
  `${entries.toLocaleString('en')} ${entries === 1 ? 'entry is' : 'entries are'}`;
