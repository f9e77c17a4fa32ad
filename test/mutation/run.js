import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

/**
 * What is left out of a part: code that only runs in a child process, and tests that need bundles
 * of the functions, which take seconds to make.
 */
const leftOut = {
  infra: {
    mutate: ['!infra/app.ts', '!infra/assembly/**', '!infra/lambda/{bundling,portable*}.ts'],
    tests: ['/test/infra/assembly/', '/test/infra/lambda/bundling'],
  },
};

/**
 * Returns the folder of the tests of a folder. Most code of the functions is tested through their
 * handlers, and that of infra by templates: by the tests above its folder.
 */
const testsOf = (folder) => {
  const [part] = folder.split('/');
  return ['functions', 'infra'].includes(part) ? part : folder;
};

/**
 * Returns the options that change one folder or file, such as `ops/keys`, and run the tests beside
 * it, here those in `test/ops/keys`. Texts are not changed: what a person reads is compared as a
 * whole by a few tests, and not by every test that a mutant would need.
 */
const optionsFor = (path) => {
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path.replace(/\/$/, '') : dirname(path);
  const tests = testsOf(folder);
  const without = leftOut[tests] ?? { mutate: [], tests: [] };
  return {
    // The tests of infra share templates, so that not only the test that makes one covers its code.
    coverageAnalysis: tests === 'infra' ? 'all' : 'perTest',
    mutate: isFolder ? [`${folder}/**/*.ts`, ...without.mutate] : [path],
    mutator: { excludedMutations: ['StringLiteral'] },
    jest: {
      config: {
        roots: ['functions', 'infra', 'local', 'ops', 'test'],
        testMatch: [`**/test/${tests}/**/*.test.ts`],
        testPathIgnorePatterns: ['/node_modules/', ...without.tests],
        // These tests wait for files, tables and child processes.
        globals: { suiteTimeout: 30_000 },
      },
    },
    thresholds: { high: 95, low: 85, break: 85 },
  };
};

const [, , path] = process.argv;

if (path !== undefined && !existsSync(path)) {
  console.error(
    `${path} does not exist. Name a folder or a file of the project, such as ops/keys.`,
  );
  process.exit(2);
}
const options = path === undefined ? {} : optionsFor(path);
await new Stryker({ configFile: 'test/mutation/stryker.config.js', ...options }).runMutationTest();
