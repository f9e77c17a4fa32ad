import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { copyKept, keepAssembly } from '../../../infra/assembly/kept-assembly.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { readAssembly } from '../../support/stack/synthesized.ts';

// Each copy adds an exit listener that removes it.
process.setMaxListeners(0);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-kept-'));
});

const kept = (name = 'hash') => join(directory, name);
const contentOf = (copy = '') => readAssembly(copy);
const original = contentOf(assembly);
const keepAged = (name: string, hours: number) => {
  keepAssembly(assembly, kept(name));
  utimesSync(kept(name), Date.now() / 1000, Date.now() / 1000 - hours * 3600);
};

test('an assembly that was kept, even twice, is found again, each time as another copy', () => {
  expect(copyKept(kept())).toBeUndefined();
  keepAssembly(assembly, kept());
  keepAssembly(assembly, kept());
  expect(readdirSync(directory)).toEqual(['hash']);
  const copies = [copyKept(kept()), copyKept(kept())];
  expect(new Set([...copies, kept()]).size).toBe(3);
  expect(copies.map(contentOf)).toEqual([original, original]);
});

test('an assembly is complete or absent after the process that keeps it was killed', async () => {
  const script = `
    import { keepAssembly } from ${JSON.stringify(import.meta.resolve('../../../infra/assembly/kept-assembly.ts'))};
    console.log();
    for (let i = 0; ; i++) keepAssembly(${JSON.stringify(assembly)}, ${JSON.stringify(kept())} + i);`;
  for (const milliseconds of [1, 3, 5, 10, 20]) {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    setTimeout(() => child.kill('SIGKILL'), milliseconds);
    await once(child, 'exit');
    for (const name of readdirSync(directory).filter((entry) => entry.startsWith('hash'))) {
      expect(contentOf(kept(name))).toEqual(original);
    }
  }
});

test('an assembly of which the system has removed a part is not found, and can be kept again', () => {
  keepAssembly(assembly, kept());
  rmSync(join(kept(), 'manifest.json'));
  expect(copyKept(kept())).toBeUndefined();
  keepAssembly(assembly, kept());
  expect(contentOf(copyKept(kept()))).toEqual(original);
});

test('old assemblies and leftovers of killed processes are removed; the newest and the recently used ones stay', () => {
  for (let hours = 1; hours <= 12; hours++) {
    keepAged(`${hours}`, hours + 0.5);
  }
  copyKept(kept('12'));
  keepAged('petstore-inventory-left', 100);
  keepAssembly(assembly, kept('new'));
  expect(readdirSync(directory).sort()).toEqual(['1', '12', '2', '3', '4', '5', '6', 'new']);

  const lately = Array.from({ length: 10 }, (_, i) => `lately-${i}`);
  for (const name of lately) {
    keepAssembly(assembly, kept(name));
  }
  expect(readdirSync(directory)).toEqual(expect.arrayContaining(lately));
});
