import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';
import { anchorOf, pages, sectionsOf, textOf, withoutBlocks } from '../support/docs/markdown.ts';

/** Returns the targets of a page's links to other pages, each `page` or `page#anchor`. */
const linksOf = (page: string): string[] =>
  [...withoutBlocks(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target))
    .map((target) => (target.startsWith('#') ? page + target : join(dirname(page), target)))
    .map(normalize);

const pageOf = (target: string): string => target.replace(/#.*/, '');

const direct = linksOf('README.md');
const pagesOf = (targets: string[]) =>
  new Set(targets.map(pageOf).filter((page) => /md$/.test(page)));
const reached = new Set([...direct, ...[...pagesOf(direct)].flatMap(linksOf)]);

/** The sections of a page. Who reaches a page without a table of contents reads it from its top. */
const isRead = (page: string, title: string): boolean =>
  reached.has(`${page}#${anchorOf(title)}`) ||
  (reached.has(page) && !linksOf(page).some((target) => target.startsWith(`${page}#`)));

const documents = pages.filter((page) => page.startsWith('docs/') || page === 'CONTRIBUTING.md');

test.each(documents)('every section of %s is at most two links from README', (page) => {
  const titles = sectionsOf(withoutBlocks(textOf(page))).map(({ title }) => title);
  expect(titles.filter((title) => !isRead(page, title))).toEqual([]);
  expect([...pagesOf([...reached])]).toContain(page);
});

test.each(documents)('%s says at its top whom it is for', (page) => {
  const [, , firstLine = ''] = textOf(page).split('\n');
  expect(firstLine).toMatch(
    /^For ((developers of clients|operators|colleagues)( who | whose |[.,])|everybody[.,])/,
  );
});

test('every answer of docs/faq.md links a page', () => {
  const answers = textOf('docs/faq.md').split(/^### /m).slice(1);
  expect(answers.length).toBeGreaterThan(20);
  expect(answers.filter((answer) => !/\]\([^)]+\)/.test(answer))).toEqual([]);
});
