import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';
import { anchorsOf, pages, textOf, withoutBlocks } from '../support/docs/markdown.ts';
import { trackedFiles } from '../support/process/tracked-files.ts';

/** Whether a link's target, such as `docs/api.md#limits`, is a file and an anchor in it. */
const exists = (target: string): boolean => {
  const [path = '', anchor] = target.split('#');
  return existsSync(path) && (anchor === undefined || anchorsOf(path).includes(anchor));
};

/** Returns the targets of a page's relative links and pictures, as paths in the project. */
const linksOf = (page: string): string[] =>
  [...withoutBlocks(textOf(page)).matchAll(/(?<=\]\()[^)\s]+(?=\))|(?<=<img src=")[^"]+/g)]
    .map(([target]) => target)
    .filter((target) => !/^(https?|mailto):/.test(target))
    .map((target) => (target.startsWith('#') ? page + target : join(dirname(page), target)))
    .map(normalize);

test.each(pages)('%s: every relative link leads to a file and an anchor', (page) => {
  expect(linksOf(page).filter((target) => !exists(target))).toStrictEqual([]);
});

test.each(pages)('%s: every file of the project that it names exists', (page) => {
  const folders = 'functions|infra|local|ops|bench|test|docs|examples';
  const named = textOf(page).match(new RegExp(`(?<=\`)(${folders})/[\\w./-]+(?=\`)`, 'g')) ?? [];
  expect(named.filter((path) => !existsSync(path))).toStrictEqual([]);
});

test('every page that code names exists, with its anchor', () => {
  const sources = trackedFiles(/^(functions|infra|local|ops|bench|examples|openapi).*\.\w+$/);
  const named = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md(#[\w-]+)?/g)].map(([target]) => ({
      file,
      target,
    })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ target }) => !exists(target))).toStrictEqual([]);
});

test('every page of docs/ is reached from README', () => {
  const reached = new Set(['README.md']);
  // A set's iteration includes what is added to it meanwhile.
  for (const page of reached) {
    for (const target of linksOf(page).map((link) => link.replace(/#.*/, ''))) {
      if (pages.includes(target)) {
        reached.add(target);
      }
    }
  }
  expect(pages.filter((page) => /^docs\//.test(page) && !reached.has(page))).toStrictEqual([]);
});
