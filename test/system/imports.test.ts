import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
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

const files = trackedFiles(/\.(ts|cjs|js)$/).filter((file) => (file.split('/')[0] ?? '') in allowed);

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'(\.[^']+)'/g)].map(([, target = '']) =>
    normalize(join(dirname(file), target)),
  );

const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** A path that leads from a node of the graph back to itself, or nothing. */
const circle = (graph: Map<string, string[]>): string[] => {
  const done = new Set<string>();
  const search = (node: string, path: string[]): string[] => {
    if (path.includes(node)) {
      return [...path.slice(path.indexOf(node)), node];
    }
    if (done.has(node)) {
      return [];
    }
    const found = (graph.get(node) ?? []).map((next) => search(next, [...path, node])).find((hit) => hit.length > 0);
    done.add(node);
    return found ?? [];
  };
  return [...graph.keys()].map((node) => search(node, [])).find((hit) => hit.length > 0) ?? [];
};

/** The same graph between folders, without the files of the entry points' own folder. */
const foldersOf = (graph: Map<string, string[]>): Map<string, string[]> => {
  const folders = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const others = targets.map((target) => dirname(target)).filter((folder) => folder !== dirname(file));
    folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), ...others]);
  }
  return folders;
};

describe('imports', () => {
  test('form no circle between files', () => expect(circle(imports)).toEqual([]));

  test('form no circle between folders', () => expect(circle(foldersOf(imports))).toEqual([]));

  test('cross the folders at the top in one direction', () => {
    const top = (file: string) => file.split('/')[0] ?? '';
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => top(target) in allowed && top(target) !== top(file))
        .filter((target) => !allowed[top(file)]?.includes(top(target)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('start local from ops in one place', () => {
    const starters = [...imports].flatMap(([file, targets]) =>
      file.startsWith('ops/') && targets.some((target) => target.startsWith('local/')) ? [file] : [],
    );
    expect(starters).toEqual(['ops/start.ts']);
  });

  test('of bench in test/ are of test/support alone', () => {
    const suites = [...imports].flatMap(([file, targets]) =>
      file.startsWith('bench/') ? targets.filter((target) => /^test\/(?!support\/)/.test(target)) : [],
    );
    expect(suites).toEqual([]);
  });
});
