import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jumping, testClocks } from '../support/clients/clocks.ts';
import type { Program } from '../support/clients/program.ts';
import {
  testEnvironmentProxy,
  testSetQuantityExample,
} from '../support/clients/set-quantity-example.ts';
import { cache, outputOf, project } from '../support/process/tools.ts';

const folder = join(project, 'examples/go');

const built = async (source: string, name: string): Promise<Program> => {
  const program = join(cache, 'examples/go', name);
  await outputOf('go', '-C', source, 'build', '-o', program, '.');
  return [program];
};

testSetQuantityExample(() => built(folder, 'set-quantity'));

testClocks(async () => {
  const copy = mkdtempSync(join(tmpdir(), 'go-'));
  cpSync(folder, copy, { recursive: true });
  cpSync(join(jumping, 'time.go'), join(copy, 'time/time.go'));
  const example = readFileSync(join(folder, 'main.go'), 'utf8');
  writeFileSync(join(copy, 'main.go'), example.replace('\t"time"\n', '\t"example/time"\n'));
  return built(copy, 'jumping');
});

testEnvironmentProxy();
