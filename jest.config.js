import { argv } from 'node:process';

/**
 * The test suites. The end of a file's name says which one it belongs to, and its folder what it
 * tests. A test belongs to the first suite of this list that can show what it claims.
 */
export const suites = {
  // Calls code in this process: no program of ours is started, no real wait. Templates are read as
  // JSON, and made only for settings that no stage has.
  unit: suite('unit', { seconds: 10, files: ['**/test/**/*.test.ts'] }),

  // Starts the program as a user does, with one or two local runs a file: what only HTTP, signals and
  // streams of a process show.
  system: suite('system', { seconds: 100 }),

  // A stage on MiniStack, which plays AWS: deploys, enforces IAM.
  deployment: suite('deployment', { seconds: 900 }),

  // What takes long: memory, outages, orders of events, restores. In test/nightly/peers/ what needs
  // programs of others: linters, a browser, generated clients, the examples' languages.
  nightly: suite('nightly', { seconds: 1_200 }),
};

/**
 * @param {string} name
 * @param {{ seconds: number, files?: string[] }} options how long one test may take, which is far
 * longer than any does: a busy machine is ten times slower, and may stand still for seconds
 */
function suite(name, { seconds, files = [`**/test/**/*.${name}.ts`] }) {
  return {
    displayName: name,
    // Only for files in its roots does Jest know which file imports which.
    roots: ['functions', 'infra', 'local', 'ops', 'test'].map((folder) => `<rootDir>/${folder}`),
    testMatch: files,
    globalSetup: './test/support/jest/run.ts',
    globalTeardown: './test/support/jest/end-run.ts',
    // Jest has one testTimeout for all projects, so each test file sets that of its suite.
    globals: { suiteTimeout: seconds * 1_000 },
    setupFilesAfterEnv: ['./test/support/jest/every-file.ts'],
    testEnvironment: './test/support/jest/environment.js',
    extensionsToTreatAsEsm: ['.ts'],
    transform: { '\\.ts$': './test/support/jest/strip-types.js' },
    modulePathIgnorePatterns: ['<rootDir>/test/mutation/node_modules'],
  };
}

/** `npm test -- FILE` runs a file of any suite; without a file it runs the quick suites. */
const named = Object.keys(suites).filter((name) =>
  argv.some((argument) => argument.endsWith(`.${name}.ts`)),
);
const quick = ['unit', 'system', ...named];

export default {
  projects: Object.values(suites).filter(
    ({ displayName }) => argv.includes('--selectProjects') || quick.includes(displayName),
  ),
  testSequencer: './test/support/jest/longest-first.js',
  // Each run shuffles the tests within their files. npm test -- --seed N repeats an order. The file
  // of a deployment is one story: each test goes on where the one before it has ended.
  randomize: !argv.some((argument) => /\bdeployment\b/.test(argument)),
  showSeed: true,
  // Many tests wait for others' processes, so that two cores have work for three.
  maxWorkers: 3,
};
