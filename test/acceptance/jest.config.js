/**
 * How Jest runs the acceptance suite (`npm run acceptance`): alone, and in the order in which its
 * checks are written, because the last one looks at what the others have sent.
 */
export default {
  displayName: 'acceptance',
  rootDir: '../..',
  roots: ['<rootDir>/test/acceptance'],
  testMatch: ['**/*.acceptance.ts'],
  globalSetup: '<rootDir>/test/acceptance/global-setup.ts',
  // A large list takes minutes, and a check may be repeated.
  testTimeout: 600_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/jest/strip-types.js' },
  verbose: true,
  noStackTrace: true,
};
