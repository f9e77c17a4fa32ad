import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { functionSpecs } from '../../infra/service/operations.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');

test.each(functionSpecs)('the handler $entryPoint has tests in a file of its name', (spec) => {
  const source = read(`${spec.entryPoint}.test.ts`);
  expect(source).toMatch(/^(test|describe)(\.each)?\(/m);
  // Its tests load the handler themselves, or a helper does.
  const helpers = [...source.matchAll(/from '(\.\.\/support\/.*?)'/g)].map(([, path = '']) => path);
  const loading = [source, ...helpers.map(read)].filter(
    (text) =>
      text.includes(`import('../../functions/${spec.entryPoint}.ts')`) ||
      text.includes(`import('../../../functions/${spec.entryPoint}.ts')`),
  );
  expect(loading).not.toStrictEqual([]);
});
