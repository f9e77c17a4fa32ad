import { join } from 'node:path';
import { preload } from '../process/preload.ts';

const config = JSON.stringify({
  rootDir: import.meta.dirname,
  testMatch: ['<rootDir>/tiny-suite.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': join(import.meta.dirname, '../jest/strip-types.js') },
});

/** Makes Jest run a suite of two checks in place of that of `petstore acceptance`. */
const program = `
  const option = process.argv.indexOf('--config=ops/acceptance/suite/jest.config.js');
  if (option !== -1) {
    process.argv[option] = ${JSON.stringify(`--config=${config}`)};
  }`;

/**
 * Returns an environment in which `petstore acceptance` runs a suite of two checks.
 * @param first what every Node process runs before
 */
export const withQuickSuite = (first = ''): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: preload(`${first}${program}`),
});
