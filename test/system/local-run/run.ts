import { localRun } from '../../support/local/local-run.ts';

/** The local run that all files of this folder test. Each test leaves its entries as they were. */
export const run = await localRun();
