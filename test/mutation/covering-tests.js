import { readFileSync, writeFileSync } from 'node:fs';

/**
 * A file in Stryker's copy of the repository: each test file's test names, and the milliseconds
 * that it takes.
 */
const file = 'test-files.json';

/**
 * A test sequencer, with what Jest calls of one: loads only the test files with a test that reaches
 * the mutant, the quickest first.
 */
export default class CoveringTests {
  constructor({ globalConfig }) {
    this.pattern = new RegExp(globalConfig.testNamePattern ?? '', 'i');
  }

  sort(tests) {
    if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined) {
      return tests;
    }
    const known = JSON.parse(readFileSync(file, 'utf8'));
    const { pattern } = this;
    return tests
      .filter(({ path }) => known[path].names.some((name) => pattern.test(name)))
      .sort((a, b) => known[a.path].milliseconds - known[b.path].milliseconds);
  }

  cacheResults(_tests, { testResults }) {
    if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined) {
      const entries = testResults.map(
        ({ testFilePath, testResults: results, perfStats: { start, end } }) => [
          testFilePath,
          { names: results.map(({ fullName }) => fullName), milliseconds: end - start },
        ],
      );
      writeFileSync(file, JSON.stringify(Object.fromEntries(entries)));
    }
  }
}
