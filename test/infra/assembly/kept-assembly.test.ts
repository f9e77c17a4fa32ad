import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { copyKept, type Kept, keepAssembly } from '../../../infra/assembly/kept-assembly.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { readAssembly } from '../../support/stack/synthesized.ts';

// Each copy adds an exit listener that removes it.
process.setMaxListeners(0);

let cache: string;
beforeEach(() => {
  cache = join(mkdtempSync(join(tmpdir(), 'petstore-kept-')), 'cache');
});

const kept = (changes: Partial<Kept> = {}): Kept => ({
  cache,
  name: 'staging',
  hash: 'abc',
  ...changes,
});
const contentOf = (copy = '') => readAssembly(copy);
const original = contentOf(assembly);

test('an assembly that was kept, even twice, is found again, each time as another copy', () => {
  expect(copyKept(kept())).toBeUndefined();
  keepAssembly(assembly, kept());
  keepAssembly(assembly, kept());
  expect(readdirSync(cache)).toEqual(['staging-abc']);
  const copies = [copyKept(kept()), copyKept(kept())];
  expect(new Set(copies).size).toBe(2);
  expect(copies.map(contentOf)).toEqual([original, original]);
});

test('a copy is outside the cache', () => {
  keepAssembly(assembly, kept());
  expect(copyKept(kept())).not.toContain(cache);
});

test('an assembly of other sources is not found', () => {
  keepAssembly(assembly, kept());
  expect(copyKept(kept({ hash: 'def' }))).toBeUndefined();
});

test('an assembly replaces the one of its name, and no other', () => {
  for (const changes of [{}, { name: 'prod' }, { hash: 'def' }]) {
    keepAssembly(assembly, kept(changes));
  }
  expect(readdirSync(cache).sort()).toEqual(['prod-abc', 'staging-def']);
});

test('what killed processes have left is removed', () => {
  for (const left of ['staging-abc-x1y2z3', 'staging-discarded-1']) {
    mkdirSync(join(cache, left), { recursive: true });
  }
  keepAssembly(assembly, kept());
  expect(readdirSync(cache)).toEqual(['staging-abc']);
});

test('an assembly is complete or absent after the process that keeps it was killed', async () => {
  const module = import.meta.resolve('../../../infra/assembly/kept-assembly.ts');
  const script = `
    import { keepAssembly } from ${JSON.stringify(module)};
    console.log();
    const kept = ${JSON.stringify(kept())};
    for (;;) keepAssembly(${JSON.stringify(assembly)}, kept);`;
  for (const milliseconds of [1, 3, 5, 10, 20]) {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    setTimeout(() => child.kill('SIGKILL'), milliseconds);
    await once(child, 'exit');
    const copy = copyKept(kept());
    expect(copy && contentOf(copy)).toEqual(copy && original);
  }
});

test('an assembly of which a part was removed is not found, and can be kept again', () => {
  keepAssembly(assembly, kept());
  rmSync(join(cache, 'staging-abc/manifest.json'));
  expect(copyKept(kept())).toBeUndefined();
  keepAssembly(assembly, kept());
  expect(contentOf(copyKept(kept()))).toEqual(original);
});

test('where the cache cannot be written, nothing is kept', () => {
  // Even root cannot make a directory in a file.
  writeFileSync(cache, '');
  keepAssembly(assembly, kept());
  expect(existsSync(join(cache, 'staging-abc'))).toBe(false);
  expect(copyKept(kept())).toBeUndefined();
});
