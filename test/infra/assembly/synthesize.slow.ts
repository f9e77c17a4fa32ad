import { afterEach, expect, jest, test } from '@jest/globals';
import { copyKept } from '../../../infra/assembly/kept-assembly.ts';
import { keptOf, synthesize } from '../../../infra/assembly/synthesize.ts';

const inRegion = (AWS_REGION: string) => ({ ...process.env, AWS_REGION });
const before = inRegion('eu-west-1');
const after = inRegion('us-east-1');

afterEach(() => {
  jest.restoreAllMocks();
});

test('an assembly is not kept if what it is made from changes during its synthesis', async () => {
  jest.replaceProperty(process, 'env', before);
  const synthesizing = synthesize('prod');
  jest.replaceProperty(process, 'env', after);
  await synthesizing;
  expect(await copyKept(keptOf('prod', before))).toBeUndefined();
  expect(await copyKept(keptOf('prod', after))).toBeUndefined();
});
