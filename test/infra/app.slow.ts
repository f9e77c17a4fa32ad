import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { assembly } from '../support/assembly.ts';
import { readAssembly } from '../support/synthesized.ts';

test('cdk synth gives the same bytes in a checkout elsewhere, warns of nothing, and needs no credentials', () => {
  const project = join(import.meta.dirname, '../..');
  const home = mkdtempSync(join(tmpdir(), 'petstore-synth-'));
  // At another depth, and named like folders of the project.
  const checkout = join(home, 'functions/infra/checkout');
  const files = ['functions', 'infra', 'cdk.json', 'tsconfig.json', 'package.json', 'package-lock.json'];
  for (const name of [...files, 'require-node-24.cjs']) {
    cpSync(join(project, name), join(checkout, name), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(checkout, 'node_modules'));
  const out = join(home, 'out');
  const cdk = join(project, 'node_modules/aws-cdk/bin/cdk');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cdk, 'synth', '--quiet', '--output', out], {
    cwd: checkout,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, HOME: home },
    encoding: 'utf8',
  });
  expect({ status, output: stdout + stderr }).toEqual({
    status: 0,
    output: expect.not.stringMatching(/warning|deprecated|docker/i),
  });
  expect(readAssembly(out)).toEqual(readAssembly(assembly));
  rmSync(home, { recursive: true });
});
