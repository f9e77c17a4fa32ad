/**
 * npm run test:mutants [-- FILE…]: Stryker changes these files, or all of the functions, one
 * expression at a time, and checks whether a unit test of that folder fails. Such a change is a
 * mutant, and at least 95% must be killed. Only code that the tests call in their own process
 * counts. Without files, this takes about a quarter of an hour.
 *
 * covering-tests.js loads only the test files that reach a mutant; jest-circus.js, whose name Stryker
 * requires, ends a run at the first test that fails.
 */
import { statSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { suites } from '../../jest.config.js';

const parts = ['functions', 'infra', 'local', 'ops'];
const files = process.argv.slice(2);

for (const file of files) {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile() || !parts.includes(file.split('/')[0])) {
    console.error(`${file} is no file in ${parts.join('/, ')}/.`);
    process.exit(2);
  }
}

const mutated = files.length > 0 ? files : ['functions/**/*.ts'];
const tested = new Set(mutated.map((file) => file.split('/')[0]));

await new Stryker({
  mutate: mutated,
  // A few tests compare what a person reads as a whole, so texts are changed only in a whole run.
  mutator: { excludedMutations: files.length > 0 ? ['StringLiteral'] : [] },
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  // A test runner is replaced after 25 runs, because the modules that each run loads stay in
  // memory.
  maxTestRunnerReuse: 25,
  jest: {
    config: {
      ...suites.unit,
      projects: undefined,
      // Only for files in its roots does Jest know which file imports which.
      roots: [...parts, 'test'],
      testMatch: [...tested].map((part) => `**/test/${part}/**/*.test.ts`),
      testRunner: './test/mutation/jest-circus.js',
      testSequencer: './test/mutation/covering-tests.js',
      // What the code caches, only the first of the tests reaches, which must always be the same.
      randomize: false,
      // Longer than any test takes. A mutant that makes a test hang is killed by this, before
      // Stryker's own timeout.
      globals: { suiteTimeout: 10_000 },
    },
  },
  // Jest runs ES modules only with this, and Stryker runs it in processes of its own.
  testRunnerNodeArgs: ['--experimental-vm-modules'],
  coverageAnalysis: 'perTest',
  // Stryker would rewrite a tsconfig file with an API that TypeScript 7 does not have. The tests
  // need no such file.
  tsconfigFile: 'none',
  // The tests do not need these folders, and Stryker cannot copy links to folders, which some of
  // them contain.
  ignorePatterns: ['.cache', 'bench/node_modules', 'cdk.out', 'docs'],
  concurrency: 3,
  // Long enough that a test on a busy machine is not mistaken for an endless loop.
  timeoutMS: 30_000,
  reporters: ['progress-append-only', 'clear-text'],
  // Lists the mutants of each file that survived or that no test reaches, and not the tests.
  clearTextReporter: { reportTests: false },
  // In the score, mutants that no test reaches count as survivors.
  thresholds: { high: 95, low: 95, break: files.length > 0 ? null : 95 },
}).runMutationTest();
