import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import manifest from '../package.json' with { type: 'json' };
import { project } from './support/process/tools.ts';
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

test.each(trackedFiles(/\.npmrc$/))('%s lets npm run no install script', (file) => {
  expect(textOf(file)).toMatch(/^ignore-scripts=true$/m);
});

test('npm links no packaged Node, which scripts and npx would run instead of a user’s own', () => {
  // npm links what "bin" in package-lock.json names. After an update of these packages, take it out.
  const programs = lockedBy('package-lock.json').map(([path, { bin }]) => ({ path, ...bin }));
  expect(programs.length).toBeGreaterThan(0);
  expect(programs.filter((program) => 'node' in program)).toEqual([]);
});

/** AWS publishes a client when it has changed, so this one has no release of the others' version. */
const unchanged = ['@aws-sdk/client-api-gateway'];

test('the clients of the AWS SDK have one version', () => {
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  const clients = all.filter(([name]) => /^@aws-sdk\/(client|lib)-/.test(name));
  const versions = clients
    .filter(([name]) => !unchanged.includes(name))
    .map(([, version]) => version);
  expect([...new Set(versions)]).toEqual([manifest.dependencies['@aws-sdk/client-dynamodb']]);
});
