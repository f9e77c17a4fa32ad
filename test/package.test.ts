import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { project, runProgram } from './support/process/tools.ts';
import { trackedFiles } from './support/process/tracked-files.ts';
import type { Json } from './support/stack/template.ts';

const textOf = (file: string) => readFileSync(join(project, file), 'utf8');

const lockedBy = (lockFile: string) =>
  Object.entries<Json>(JSON.parse(textOf(lockFile)).packages).slice(1);

const lockFiles = globSync('**/package-lock.json', {
  cwd: project,
  exclude: ['**/node_modules', '.*'],
});

test.each(lockFiles)('%s has a hash for every package', (lockFile) => {
  const locked = lockedBy(lockFile);
  expect(locked.length).toBeGreaterThan(0);
  // A bundled package is covered by the hash of the package that contains it.
  expect(
    locked.filter(([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-')),
  ).toEqual([]);
});

test('npm ci installs at most 400 packages for the product', () => {
  const fits = (allowed: string | string[] | undefined, value: string) =>
    !allowed || allowed.includes(value);
  const installed = lockedBy('package-lock.json').filter(
    ([, { os, cpu, libc, inBundle }]) =>
      !inBundle && fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, 'glibc'),
  );
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.length).toBeLessThanOrEqual(400);
});

test.each(trackedFiles(/\.npmrc$/))('%s lets npm run no install script', (file) => {
  expect(textOf(file)).toMatch(/^ignore-scripts=true$/m);
});

test('the bench writes no progress to a pipe', async () => {
  const program = `
    import { showProgress } from './bench/progress.ts';
    showProgress('round 1');
    console.log('done');`;
  const printed = { code: 0, output: 'done\n', errors: '' };
  expect(await runProgram(process.execPath, ['--input-type=module', '-e', program])).toEqual(
    printed,
  );
});

test('no line of code is wider than 100 characters', () => {
  const files = trackedFiles(/\.(ts|cjs|js|html)$/);
  // Biome keeps an import of one name on one line, however long its path is.
  const wide = files.filter((file) => /^(?!import \{).{101}/mu.test(textOf(file)));
  expect(files.length).toBeGreaterThan(200);
  expect(wide).toEqual([]);
});
