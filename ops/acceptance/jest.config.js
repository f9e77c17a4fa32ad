/**
 * npm run acceptance: checks a running service against the contract, over HTTP alone. It reads
 * PETSTORE_BASE_URL and PETSTORE_API_KEY, as the examples do.
 *
 * READ_ONLY=true sends nothing that would change data. KEY_ACCESS=read expects a read-only key.
 */
export default {
  testMatch: ['<rootDir>/*.test.ts'],
  testTimeout: 600_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': './strip-types.js' },
  // No two checks at the same time: they change the same entries, and lists are limited.
  maxWorkers: 1,
  setupFilesAfterEnv: ['./retry.js'],
  verbose: true,
};
