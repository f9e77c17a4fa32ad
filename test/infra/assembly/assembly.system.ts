import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryDirectory } from '../../../infra/assembly/temporary-directory.ts';
import { atEnd } from '../../support/process/at-end.ts';

const moduleOf = (name: string): string =>
  JSON.stringify(import.meta.resolve(`../../../infra/assembly/${name}.ts`));

/** Runs an ES module in a process of its own. */
const run = (script: string) => {
  const { status, signal, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { env: { ...process.env, TMPDIR: '/tmp' }, encoding: 'utf8' },
  );
  return { status, signal, stdout };
};

test('an assembly with a part that cannot be read is not found, and ends no process', () => {
  const cache = mkdtempSync('/tmp/petstore-unreadable-');
  const unreadable = join(cache, 'staging-abc/asset.1');
  atEnd(() => {
    chmodSync(unreadable, 0o700);
    rmSync(cache, { recursive: true });
  });
  chmodSync(cache, 0o755);
  mkdirSync(unreadable, { recursive: true });
  writeFileSync(join(unreadable, '../manifest.json'), '{}');
  chmodSync(unreadable, 0);

  // Root could read everything, so the script runs as nobody, to whom /tmp is open.
  const isRoot = process.getuid?.() === 0;
  const kept = { cache, name: 'staging', hash: 'abc' };
  const script = `
    import { copyKept } from ${moduleOf('kept-assembly')};
    ${isRoot ? 'process.setuid(65_534);' : ''}
    console.log(await copyKept(${JSON.stringify(kept)}));`;
  expect(run(script)).toEqual({ status: 0, signal: null, stdout: 'undefined\n' });
});

test('a bundle in a temporary directory is CommonJS, despite a package.json above', () => {
  const parent = mkdtempSync(join(tmpdir(), 'petstore-temporary-'));
  writeFileSync(join(parent, 'package.json'), '{"type":"module"}');
  const bundle = join(temporaryDirectory(parent), 'index.js');
  writeFileSync(bundle, 'exports.handler = () => {};console.log(typeof module)');
  const { stdout } = spawnSync(process.execPath, [bundle], { encoding: 'utf8' });
  expect(stdout).toBe('object\n');
});

test('a template is made from infra/ and from what that imports of functions/', () => {
  // esbuild's API does not run in Jest.
  const script = `
    import { templateSources } from ${moduleOf('template-sources')};
    console.log(JSON.stringify([...await templateSources()]));`;
  const sources = JSON.parse(run(script).stdout);
  expect(sources).toContain('infra/settings/stages.ts');
  expect(sources).toContain('functions/errors/api-error.ts');
  expect(sources).not.toContain('functions/inventory/parse-update.ts');
});
