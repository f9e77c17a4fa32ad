import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { copyKept } from '../../../infra/assembly/kept-assembly.ts';
import { keptOf, synthesize, synthesizeAnew } from '../../../infra/assembly/synthesize.ts';
import { project } from '../../support/process/tools.ts';

const inRegion = (AWS_REGION: string) => ({ ...process.env, AWS_REGION });
const before = inRegion('eu-west-1');
const after = inRegion('us-east-1');

afterEach(() => {
  jest.restoreAllMocks();
  process.chdir(project);
});

test('a stage is synthesized in the checkout, from whatever folder', async () => {
  process.chdir(tmpdir());
  const assembly = await synthesizeAnew('staging');
  expect(existsSync(join(assembly, 'manifest.json'))).toBe(true);
});

test('an assembly is not kept if what it is made from changes during its synthesis', async () => {
  jest.replaceProperty(process, 'env', before);
  const synthesizing = synthesize('prod');
  jest.replaceProperty(process, 'env', after);
  await synthesizing;
  expect(await copyKept(keptOf('prod', before))).toBeUndefined();
  expect(await copyKept(keptOf('prod', after))).toBeUndefined();
});
