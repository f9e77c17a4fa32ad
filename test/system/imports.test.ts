import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';
import { trackedFiles } from '../support/tracked-files.ts';

/** What the files of each folder at the top may import besides their own. */
const allowed: Record<string, string[]> = {
  functions: [],
  infra: ['functions'],
  local: ['functions', 'infra'],
  ops: ['functions', 'infra', 'local'],
  bench: ['functions', 'infra', 'local', 'ops', 'test'],
  mutants: [],
  test: ['functions', 'infra', 'local', 'ops'],
};

type Import = [from: string, to: string];

const top = (file: string) => file.split('/')[0] ?? '';

const imports = trackedFiles(/\.(ts|cjs|js)$/)
  .filter((file) => top(file) in allowed)
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'(\.[^']+)'/g)].map(
      ([, target = '']): Import => [file, normalize(join(dirname(file), target))],
    ),
  );

/** The imports that are left when those that lead nowhere, or that nothing leads to, are taken away again and again. */
const circles = (all: Import[]): Import[] => {
  const [sources, targets] = [new Set(all.map(([from]) => from)), new Set(all.map(([, to]) => to))];
  const left = all.filter(([from, to]) => targets.has(from) && sources.has(to));
  return left.length === all.length ? left : circles(left);
};

test('imports form no circle between files', () => {
  expect(imports.length).toBeGreaterThan(300);
  expect(circles(imports)).toEqual([]);
});

test('imports form no circle between folders', () => {
  const folders = imports.map(([from, to]): Import => [dirname(from), dirname(to)]);
  expect(circles(folders.filter(([from, to]) => from !== to))).toEqual([]);
});

test('imports cross the folders at the top in one direction', () => {
  const crossing = imports.filter(([from, to]) => top(from) !== top(to) && top(to) in allowed);
  expect(crossing.filter(([from, to]) => !allowed[top(from)]?.includes(top(to)))).toEqual([]);
});

test('imports start local from ops in one place', () => {
  const starts = imports.filter(([from, to]) => top(from) === 'ops' && top(to) === 'local');
  expect([...new Set(starts.map(([from]) => from))]).toEqual(['ops/start.ts']);
});

test('imports of bench in test/ are of test/support alone', () => {
  const ofTests = imports.filter(([from, to]) => top(from) === 'bench' && top(to) === 'test');
  expect(ofTests.filter(([, to]) => !to.startsWith('test/support/'))).toEqual([]);
});
