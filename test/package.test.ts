import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

const project = join(import.meta.dirname, '..');
const read = (file: string) => JSON.parse(readFileSync(join(project, file), 'utf8'));

interface LockedPackage {
  integrity?: string;
  /** It comes within the package that depends on it, whose hash covers it. */
  inBundle?: boolean;
  hasInstallScript?: boolean;
  os?: string | string[];
  cpu?: string | string[];
}

const lockedBy = (lockFile: string) =>
  Object.entries(read(lockFile).packages as Record<string, LockedPackage>).slice(1);

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
    const names = new Set(withScript.map(([path]) => path.replace(/.*node_modules\//, '')));
    const { allowScripts = {} } = read(`${folder}/package.json`);
    expect(allowScripts).toEqual(Object.fromEntries([...names].map((name) => [name, false])));
    expect(readFileSync(join(project, folder, '.npmrc'), 'utf8')).toMatch(/^strict-allow-scripts=true$/m);
  },
);

describe('the version of Node', () => {
  const guard = join(project, 'require-node-24.cjs');

  /** Runs the guard, and then a program, on a Node that says that it is of this version. */
  const runOn = (version: string) => {
    const pretend = `Object.defineProperties(process, {
      version: { value: 'v${version}' }, versions: { value: { node: '${version}' } }
    });`;
    const program = `${pretend} require(${JSON.stringify(guard)}); console.log('started');`;
    return promisify(execFile)(process.execPath, ['-e', program]).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  };

  test.each(['18.20.8', '20.20.2', '22.22.0', '23.11.1'])('%s is too old, which one sentence says', async (version) => {
    const { platform, arch } = process;
    expect(await runOn(version)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Install Node 24 or later (https://nodejs.org): this is v${version}, and npm has installed none for ${platform}-${arch}.\n`,
    });
  });

  test.each(['24.0.0', '26.1.0', '100.0.0'])('%s will do', async (version) => {
    expect(await runOn(version)).toEqual({ code: 0, stdout: 'started\n', stderr: '' });
  });

  test('is looked at first by every npm script, by petstore and by the CDK app', () => {
    const { scripts } = read('package.json') as { scripts: Record<string, string> };
    const commands = [...Object.entries(scripts), ['cdk.json', read('cdk.json').app as string]];
    const guarded =
      /^(npm (run|test) |node ops\/petstore\.cjs\b|node -r \.\/require-node-24\.cjs |node require-node-24\.cjs && )/;
    const unguarded = commands.filter(([, command = '']) => !guarded.test(command));
    expect(unguarded).toEqual([]);
  });
});
