import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';
import { trackedFiles } from '../support/process/tracked-files.ts';

/**
 * The folders, besides its own top-level one, that a file may import from. Keys are prefixes of the
 * file's path.
 */
const allowed: Record<string, string[]> = {
  'functions/': [],
  'infra/': ['functions/'],
  'local/': ['functions/', 'infra/'],
  'ops/': ['functions/', 'infra/'],
  'ops/start/': ['local/'],
  'bench/': ['functions/', 'infra/', 'local/', 'ops/'],
  'test/': ['functions/', 'infra/', 'local/', 'ops/', 'bench/'],
};

type Import = [from: string, to: string];

const top = (file: string) => file.replace(/\/.*/, '/');

const imports = trackedFiles(/\.(ts|cjs|js)$/)
  .filter((file) => top(file) in allowed)
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'(\.[^']+)'/g)].map(
      ([, target = '']): Import => [file, normalize(join(dirname(file), target))],
    ),
  );

/**
 * Removes imports by files that nothing imports, and of files that import nothing, until only
 * cycles remain.
 */
const cycles = (all: Import[]): Import[] => {
  const [sources, targets] = [new Set(all.map(([from]) => from)), new Set(all.map(([, to]) => to))];
  const left = all.filter(([from, to]) => targets.has(from) && sources.has(to));
  return left.length === all.length ? left : cycles(left);
};

test('imports form no cycle between files or between folders', () => {
  expect(imports.length).toBeGreaterThan(300);
  expect(cycles(imports)).toEqual([]);
  const folders = imports.map(([from, to]): Import => [dirname(from), dirname(to)]);
  expect(cycles(folders.filter(([from, to]) => from !== to))).toEqual([]);
});

test('imports between top-level folders go in one direction only', () => {
  const isAllowed = ([from, to]: Import) =>
    Object.entries(allowed).some(
      ([begin, targets]) => from.startsWith(begin) && targets.some((t) => to.startsWith(t)),
    );
  const crossing = imports.filter(([from, to]) => top(from) !== top(to) && top(to) in allowed);
  expect(crossing.filter((one) => !isAllowed(one))).toEqual([]);
});
