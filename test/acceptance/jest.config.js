/**
 * How Jest runs the acceptance suite (`npm run acceptance`): alone, and in the order in which its
 * checks are written.
 */
export default {
  displayName: 'acceptance',
  rootDir: '../..',
  roots: ['<rootDir>/test/acceptance'],
  testMatch: ['**/*.acceptance.ts'],
  // A large list takes minutes.
  testTimeout: 600_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/jest/strip-types.js' },
  verbose: true,
  noStackTrace: true,
};
