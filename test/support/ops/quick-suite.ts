import { preload } from '../process/preload.ts';

/** Makes Jest run a suite of two checks in place of that of `petstore acceptance`. */
const program = `
  import * as files from 'node:fs';
  const suite = process.argv.indexOf('test/system/acceptance/deployment.ts');
  if (suite !== -1 && files.existsSync(process.argv[suite])) {
    process.argv[suite] = 'test/support/ops/tiny-suite.ts';
  }`;

/**
 * Returns an environment in which `petstore acceptance` runs a suite of two checks.
 * @param first what every Node process runs before
 */
export const withQuickSuite = (first = ''): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: preload(`${first}${program}`),
});
