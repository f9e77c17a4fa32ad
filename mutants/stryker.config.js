/** npm run test:mutants: changes the functions, one expression at a time, and looks whether a test fails (Stryker). */
export default {
  mutate: ['functions/**/*.ts'],
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  // Each run leaves the modules that it loaded in memory.
  maxTestRunnerReuse: 25,
  jest: {
    configFile: 'package.json',
    // Of the folders that are no roots, Jest would not know what imports what.
    config: {
      roots: ['functions', 'test/functions', 'test/support'],
      testMatch: ['**/test/functions/**/*.test.ts'],
      testRunner: './mutants/jest-circus.js',
      testSequencer: './mutants/covering-tests.js',
      // What waits longer than any of them takes is killed, not timed out.
      testTimeout: 10_000,
    },
  },
  coverageAnalysis: 'perTest',
  // It would have to be rewritten by an API that TypeScript 7 does not have, and the tests need none.
  tsconfigFile: 'none',
  // Neither needed nor, with links to folders in it, possible to copy.
  ignorePatterns: ['.cache', 'bench', 'cdk.out', 'docs'],
  concurrency: 2,
  // A busy machine is no endless loop.
  timeoutMS: 30_000,
  reporters: ['progress-append-only', 'clear-text'],
  // Of each file, the mutants that survived and those that no test reaches.
  clearTextReporter: { reportTests: false },
  // A score counts those that no test reaches.
  thresholds: { high: 95, low: 90, break: 90 },
};
