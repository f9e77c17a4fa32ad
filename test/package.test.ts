import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const project = join(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(join(project, file), 'utf8');

interface LockedPackage {
  integrity?: string;
  /** It comes within the package that depends on it, whose hash covers it. */
  inBundle?: boolean;
  hasInstallScript?: boolean;
  os?: string | string[];
  cpu?: string | string[];
}

const lockedBy = (lockFile: string) => Object.entries<LockedPackage>(JSON.parse(textOf(lockFile)).packages).slice(1);

const lockFiles = globSync('**/package-lock.json', { cwd: project, exclude: ['**/node_modules', '.*'] });

test.each(lockFiles)('%s has a hash of every package', (lockFile) => {
  const locked = lockedBy(lockFile);
  expect(locked.length).toBeGreaterThan(0);
  expect(locked.filter(([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'))).toEqual([]);
});

test('npm ci installs at most 400 packages for the product', () => {
  const fits = (allowed: string | string[] | undefined, value: string) => !allowed || allowed.includes(value);
  const installed = lockedBy('package-lock.json').filter(
    ([, { os, cpu, inBundle }]) => !inBundle && fits(os, process.platform) && fits(cpu, process.arch),
  );
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.length).toBeLessThanOrEqual(400);
});

test.each(['.', 'bench', 'mutants'])(
  'npm ci in %s runs no script of a package, and fails on one not listed',
  (folder) => {
    const withScript = lockedBy(`${folder}/package-lock.json`).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = withScript.map(([path]) => path.replace(/.*node_modules\//, ''));
    const { allowScripts = {} } = JSON.parse(textOf(`${folder}/package.json`));
    expect(allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
    expect(textOf(`${folder}/.npmrc`)).toMatch(/^strict-allow-scripts=true$/m);
  },
);

test.each([
  ...['18.20.8', '20.20.2', '22.22.0', '23.11.1'].map((version) => [version, 1] as const),
  ...['24.0.0', '26.1.0', '100.0.0'].map((version) => [version, 0] as const),
])('Node %s ends before a program with exit code %i, in one sentence, or not at all', (version, exitCode) => {
  const program = `
    Object.defineProperties(process, { version: { value: 'v${version}' }, versions: { value: { node: '${version}' } } });
    require('./require-node-24.cjs');
    console.log('started');`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], { cwd: project, encoding: 'utf8' });
  const { platform, arch } = process;
  const sentence = `Install Node 24 or later (https://nodejs.org): this is v${version}, and npm has installed none for ${platform}-${arch}.\n`;
  const [output, error] = exitCode === 0 ? ['started\n', ''] : ['', sentence];
  expect({ status, stdout, stderr }).toEqual({ status: exitCode, stdout: output, stderr: error });
});

test('the version of Node is looked at first by every npm script, by petstore and by the CDK app', () => {
  const commands = [
    ...Object.values<string>(JSON.parse(textOf('package.json')).scripts),
    JSON.parse(textOf('cdk.json')).app,
  ];
  const guarded =
    /^(npm (run|test) |node ops\/petstore\.cjs\b|node -r \.\/require-node-24\.cjs |node require-node-24\.cjs && )/;
  expect(commands.filter((command) => !guarded.test(command))).toEqual([]);
});
