/**
 * npm run test:mutants: changes the functions, one expression at a time, and looks whether a test notices (Stryker).
 * What came of each change is kept in results.json, and only what is not there is tried; with `-- --survivors` also
 * what no test had noticed (in time), with `-- --all` everything.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { all: flag, survivors: flag } });

const mutate = 'functions/**/*.ts';
/** Percent of the mutants that a test has to notice. */
const bar = 90;

/** A report as Stryker writes it, of which this is used. */
interface Results {
  schemaVersion: string;
  thresholds: object;
  files: Record<string, { language: string; source: string; mutants: { status: string }[] }>;
  testFiles: object;
}
const file = join(import.meta.dirname, 'results.json');
const read = () => JSON.parse(readFileSync(file, 'utf8')) as Results;
// As Stryker writes it, it also says where the project was and on what it ran.
const write = ({ schemaVersion, thresholds, files, testFiles }: Results) =>
  writeFileSync(file, `${JSON.stringify({ schemaVersion, thresholds, files, testFiles })}\n`);

if (values.survivors) {
  const results = read();
  for (const source of Object.values(results.files)) {
    source.mutants = source.mutants.filter(({ status }) => status === 'Killed');
  }
  write(results);
}

const { files } = read();
const isTried = (path: string) => files[path]?.source === readFileSync(path, 'utf8');
if (!values.all && !values.survivors && globSync(mutate).every(isTried)) {
  const tried = Object.values(files).flatMap(({ mutants }) => mutants);
  const noticed = tried.filter(({ status }) => status !== 'Survived').length;
  console.log(`Nothing new to try. Of ${tried.length} mutants ${noticed} were noticed.`);
  process.exit(noticed < (bar / 100) * tried.length ? 1 : 0);
}

const mutants = await new Stryker({
  mutate: [mutate],
  testRunner: 'command',
  commandRunner: { command: 'node test/mutants/run-tests.ts' },
  buildCommand: 'cdk synth --quiet',
  // It would have to be rewritten by an API that TypeScript 7 does not have, and the tests need none.
  tsconfigFile: 'none',
  // More than there are cores: much of a test is waiting.
  concurrency: 4,
  timeoutMS: 120_000,
  timeoutFactor: 1,
  dryRunTimeoutMinutes: 15,
  incremental: true,
  incrementalFile: file,
  force: values.all,
  reporters: ['progress-append-only', 'clear-text'],
  // Of each, only the mutants that no test has noticed.
  clearTextReporter: { reportTests: false },
  thresholds: { high: 95, low: bar, break: bar },
}).runMutationTest();

const results = read();
// Stryker leaves out the files in which there is nothing to change, which would seem new the next time.
for (const path of globSync(mutate)) {
  if (!results.files[path]?.mutants.length) {
    results.files[path] = { language: 'typescript', source: readFileSync(path, 'utf8'), mutants: [] };
  }
}
write(results);
console.log(`${mutants.length} mutants in all.`);
