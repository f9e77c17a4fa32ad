/** How Jest runs the acceptance suite, alone: none of the project's tests belongs to it. */
export default {
  testMatch: ['<rootDir>/suite.ts'],
  testTimeout: 600_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': './strip-types.js' },
  verbose: true,
};
