import { suites } from '../../jest.config.js';

const { displayName: _name, ...unit } = suites.unit;

/**
 * npm run test:mutants: Stryker changes the functions, one expression at a time, and checks whether
 * a test fails.
 */
export default {
  mutate: ['functions/**/*.ts'],
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  // A test runner is replaced after 25 runs, because the modules that each run loads stay in
  // memory.
  maxTestRunnerReuse: 25,
  jest: {
    config: {
      ...unit,
      projects: undefined,
      // Only for files in its roots does Jest know which file imports which.
      roots: ['functions', 'test/functions', 'test/support'],
      testMatch: ['**/test/functions/**/*.test.ts'],
      testRunner: './test/mutation/jest-circus.js',
      testSequencer: './test/mutation/covering-tests.js',
      // Longer than any test takes. A mutant that makes a test hang is killed by this, before
      // Stryker's own timeout.
      globals: { suiteTimeout: 10_000 },
    },
  },
  coverageAnalysis: 'perTest',
  // Stryker would rewrite a tsconfig file with an API that TypeScript 7 does not have. The tests
  // need no such file.
  tsconfigFile: 'none',
  // The tests do not need these folders, and Stryker cannot copy links to folders, which some of
  // them contain.
  ignorePatterns: ['.cache', 'bench', 'cdk.out', 'docs'],
  concurrency: 2,
  // Long enough that a test on a busy machine is not mistaken for an endless loop.
  timeoutMS: 30_000,
  reporters: ['progress-append-only', 'clear-text'],
  // Lists the mutants of each file that survived or that no test reaches, and not the tests.
  clearTextReporter: { reportTests: false },
  // In the score, mutants that no test reaches count as survivors.
  thresholds: { high: 95, low: 90, break: 90 },
};
