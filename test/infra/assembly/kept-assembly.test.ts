import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import {
  copyAssembly,
  copyKept,
  type Kept,
  keepAssembly,
} from '../../../infra/assembly/kept-assembly.ts';
import { keptOf } from '../../../infra/assembly/synthesize.ts';

const directory = mkdtempSync(join(tmpdir(), 'petstore-kept-'));
const assembly = join(directory, 'assembly');
mkdirSync(join(assembly, 'asset.1'), { recursive: true });
writeFileSync(join(assembly, 'manifest.json'), '{"version":"1"}');
writeFileSync(join(assembly, 'asset.1/index.js'), 'exports.handler = () => {};');

let cache: string;
beforeEach(() => {
  cache = join(mkdtempSync(join(directory, 'of-test-')), 'cache');
});

const kept = (changes: Partial<Kept> = {}): Kept => ({
  cache,
  name: 'staging',
  hash: 'abc',
  ...changes,
});

/** Checks that a directory has every file of the assembly. */
const expectComplete = (copy = ''): void => {
  for (const file of ['manifest.json', 'asset.1/index.js']) {
    expect(readFileSync(join(copy, file), 'utf8')).toBe(readFileSync(join(assembly, file), 'utf8'));
  }
};

test('an assembly that was kept, even twice, is found again, each time as another copy', async () => {
  expect(await copyKept(kept())).toBeUndefined();
  await keepAssembly(assembly, kept());
  await keepAssembly(assembly, kept());
  expect(readdirSync(cache)).toEqual(['staging-abc']);
  const [first, second] = [await copyKept(kept()), await copyKept(kept())];
  expect(first).not.toBe(second);
  expectComplete(first);
  expectComplete(second);
});

test('a copy is outside the cache', async () => {
  await keepAssembly(assembly, kept());
  expect(await copyKept(kept())).not.toContain(cache);
});

test('an assembly of other sources is not found', async () => {
  await keepAssembly(assembly, kept());
  expect(await copyKept(kept({ hash: 'def' }))).toBeUndefined();
});

test('an assembly replaces the one of its name, and no other', async () => {
  for (const changes of [{}, { name: 'prod' }, { hash: 'def' }]) {
    await keepAssembly(assembly, kept(changes));
  }
  expect(readdirSync(cache).sort()).toEqual(['prod-abc', 'staging-def']);
});

test('what killed processes have left is removed', async () => {
  for (const left of ['staging-abc-x1y2z3', 'staging-discarded-1']) {
    mkdirSync(join(cache, left), { recursive: true });
  }
  await keepAssembly(assembly, kept());
  expect(readdirSync(cache)).toEqual(['staging-abc']);
});

test('an assembly of which a part was removed is not found, and can be kept again', async () => {
  await keepAssembly(assembly, kept());
  rmSync(join(cache, 'staging-abc/manifest.json'));
  expect(await copyKept(kept())).toBeUndefined();
  await keepAssembly(assembly, kept());
  expectComplete(await copyKept(kept()));
});

test('an assembly that is being replaced is found complete, or not at all', async () => {
  await keepAssembly(assembly, kept());
  const replacing = Array.from({ length: 20 }, () => keepAssembly(assembly, kept()));
  for (const copying of Array.from({ length: 20 }, () => copyKept(kept()))) {
    const copy = await copying;
    if (copy !== undefined) {
      expectComplete(copy);
    }
  }
  await Promise.all(replacing);
});

test('where the cache cannot be written, nothing is kept', async () => {
  // Even root cannot make a directory in a file.
  writeFileSync(cache, '');
  await keepAssembly(assembly, kept());
  expect(await copyKept(kept())).toBeUndefined();
});

test('a directory that does not exist cannot be copied', async () => {
  await expect(copyAssembly(join(directory, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an assembly is kept for the sources and the environment of its synthesis', () => {
  const environment = { AWS_REGION: 'eu-west-1' };
  const { hash } = keptOf('staging', environment);
  expect(keptOf('staging', environment).hash).toBe(hash);
  expect(keptOf('staging', { AWS_REGION: 'us-east-1' }).hash).not.toBe(hash);
});

test.each([
  { stageName: 'staging', name: 'staging' },
  { stageName: '*', name: 'every-stage' },
])('the assembly of $stageName is kept under a name of its own', ({ stageName, name }) => {
  expect(keptOf(stageName, {}).name).toBe(name);
});
