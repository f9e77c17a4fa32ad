import { expect, test } from '@jest/globals';
import { assembly } from '../support/assembly.ts';
import { readAssembly } from '../support/synthesized.ts';

const { templates, bundles } = readAssembly(assembly);

test('no secret is in a template or a bundle', () => {
  // A bundle and a map of each function.
  expect(Object.keys(bundles)).toHaveLength(6);
  const secret = /petstore_(staging|prod)_[0-9a-f]{48}|AKIA[0-9A-Z]{16}|BEGIN [A-Z ]*PRIVATE KEY/;
  const texts = Object.entries({ ...bundles, ...templates }).map(([name, text]) => [name, JSON.stringify(text)]);
  expect(texts.filter(([, text = '']) => secret.test(text))).toEqual([]);
});
