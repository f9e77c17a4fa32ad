import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { project } from './support/process/tools.ts';
import { trackedFiles } from './support/process/tracked-files.ts';

interface Locked {
  bin?: Record<string, string>;
  integrity?: string;
  inBundle?: boolean;
}

const textOf = (file: string): string => readFileSync(join(project, file), 'utf8');

/** Returns the packages of a lock file by their path. The first entry is the project itself. */
const lockedBy = (lockFile: string): [string, Locked][] => {
  const [, ...packages] = Object.entries<Locked>(JSON.parse(textOf(lockFile)).packages);
  return packages;
};

test.each(trackedFiles(/package-lock\.json$/))('%s has a hash for every package', (lockFile) => {
  // A bundled package is covered by the hash of the package that contains it.
  const unsafe = lockedBy(lockFile).filter(
    ([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'),
  );
  expect(unsafe).toStrictEqual([]);
});

test.each(trackedFiles(/\.npmrc$/))('%s lets npm run no install script, on any Node', (file) => {
  const settings = textOf(file).match(/^[^;\s].*$/gm);
  expect(settings).toStrictEqual([
    'save-exact=true',
    'ignore-scripts=true',
    'omit-lockfile-registry-resolved=true',
    'engine-strict=false',
  ]);
});

test('npm links no packaged Node, which scripts and npx would run instead of a user’s own', () => {
  // npm links what "bin" in package-lock.json names; npm 10 then removes the link again, because four
  // of the five packages are for other systems. After an update of these packages, take it out.
  const linked = lockedBy('package-lock.json').filter(([, { bin = {} }]) => 'node' in bin);
  expect(linked).toStrictEqual([]);
});
