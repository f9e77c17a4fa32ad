import { confirm } from '../../cli/questions.ts';
import { print, type Terminal } from '../../cli/terminal.ts';
import { hinted } from '../../cli/to-cli-error.ts';
import type { Stage } from '../../stage/stage.ts';
import { findStage, type StageOptions } from '../../stage/stage-command.ts';
import { openSource } from '../files/entry-source.ts';
import type { Format } from '../files/formats.ts';
import { openInput } from '../files/input-file.ts';
import { checkEntries } from './check-entries.ts';
import { changedError, conflictError, invalidError } from './import-errors.ts';
import type { ConflictAction, ImportJob } from './import-job.ts';
import { summaryOf } from './import-summary.ts';
import { type Plan, planWrites } from './plan-writes.ts';
import { ProblemReport } from './problem-report.ts';
import { writeEntries } from './write-entries.ts';

export interface ImportOptions extends StageOptions {
  format?: Format;
  onConflict: ConflictAction;
  skipInvalid?: boolean;
  dryRun?: boolean;
}

/**
 * Imports a file. Everything in it is checked and looked up before anything is written.
 */
export const importFile = async (
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<void> => {
  const { onConflict } = options;
  const { input, fraction } = openInput(terminal, file);
  const stage = await findStage(terminal, options);
  const source = await openSource(input, options.format);
  const report = new ProblemReport(terminal, source.unit, options);
  const job: ImportJob = { terminal, table: stage.inventory, source, onConflict, report };

  const { entries, counts: checked } = await checkEntries(job, fraction);
  const plan = await planWrites(job, entries, checked.read - checked.invalid);
  if (checked.invalid > 0 && !options.skipInvalid) {
    throw invalidError(checked.invalid, report);
  }
  const { conflicts, ...planned } = plan.counts;
  if (conflicts > 0) {
    throw conflictError(conflicts, report);
  }
  const printSummary = (counts: Record<string, number>, more = '') => {
    const figures = { ...checked, ...counts };
    const result = { ...figures, problems: report.kept };
    print(terminal, options, result, `${summaryOf(figures)}${more}`);
  };
  if (options.dryRun) {
    printSummary(planned, ' Nothing was written.');
    return;
  }
  await confirmWrites(terminal, stage, plan, options);
  const { counts: written, failure } = await writeEntries(job, entries, plan);
  printSummary(written);
  if (written.left > 0) {
    const hint = 'Run the same command again: it continues where this one stopped.';
    throw hinted(failure, hint, report.kept);
  }
  if (written.changed > 0) {
    throw changedError(report);
  }
};

/** Asks before anything is written to prod. */
const confirmWrites = async (
  terminal: Terminal,
  stage: Stage,
  { counts: { toCreate, toReplace } }: Plan,
  { yes }: ImportOptions,
): Promise<void> => {
  if (!stage.isProduction || toCreate + toReplace === 0) {
    return;
  }
  const [creations, replacements] = [toCreate, toReplace].map((count) =>
    count.toLocaleString('en'),
  );
  const question = `Create ${creations} and replace ${replacements} entries in prod?`;
  await confirm(terminal, { question, isConfirmed: yes, signal: terminal.signal });
};
