import { expect, test } from '@jest/globals';
import { keptOf } from '../../../infra/assembly/synthesize.ts';

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
