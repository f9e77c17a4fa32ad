import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { blocksOf, pages, sectionsOf, textOf, withoutBlocks } from '../support/docs/markdown.ts';
import { trackedFiles } from '../support/process/tracked-files.ts';

const sections = sectionsOf(textOf('docs/glossary.md'));
const textOfSection = (title: string): string =>
  sections.find((section) => section.title === title)?.text.replaceAll(/\n +/g, ' ') ?? '';

const quotedIn = (text: string): string[] =>
  [...text.matchAll(/"([^"]+)"/g)].map(([, quoted = '']) => quoted);

/** What the glossary says of one name: the words that it replaces, and where they are right. */
const names = [
  ...textOfSection('One name for one thing').matchAll(/^- \*\*(.+?)\*\*, not (.+?)[.,] ?(.*)$/gm),
].map(([, name = '', rejected = '', exceptions = '']) => ({
  name,
  rejected: quotedIn(rejected),
  allowed: quotedIn(exceptions),
}));

const anyOf = (phrases: string[]): RegExp => new RegExp(`\\b(${phrases.join('|')})\\b`, 'g');
const rejected = anyOf(names.flatMap((name) => name.rejected));
const allowed = anyOf(
  names.flatMap((name) => name.allowed).toSorted((a, b) => b.length - a.length),
);

const rejectedIn = (text: string): string[] =>
  text.replaceAll(/\s+/g, ' ').replaceAll(allowed, '').match(rejected) ?? [];

/**
 * Returns the sentences of a page and the words of its diagrams. Names of variables, settings,
 * files and commands stand in backquotes, targets of links in brackets.
 */
const proseOf = (page: string): string =>
  [withoutBlocks(page), ...blocksOf(page, 'mermaid')]
    .join('\n')
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']');

const prose = pages
  .filter((page) => page === 'README.md' || page === 'CONTRIBUTING.md' || page.startsWith('docs/'))
  .map((page) => ({ page, text: proseOf(textOf(page)) }))
  // The glossary itself quotes the words that it rejects.
  .map(({ page, text }) => ({ page, text: text.replaceAll(/"[^"\n]*"/g, '') }));

test('the glossary names the words that it rejects', () => {
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => name.rejected.length === 0)).toEqual([]);
});

test.each(prose)('$page uses no word that the glossary rejects', ({ text }) => {
  expect(rejectedIn(text)).toEqual([]);
});

test('no message of ops/ uses a word that the glossary rejects', () => {
  const messages = trackedFiles(/^ops\/.*\.ts$/).flatMap((file) => {
    const code = readFileSync(file, 'utf8').replaceAll(/^ *(\/\*\*?[\s\S]*?\*\/|\/\/.*)$/gm, '');
    const literals = code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
    // A literal without a space is a name or a path.
    return literals.filter((literal) => / /.test(literal)).map((literal) => ({ file, literal }));
  });
  expect(messages.length).toBeGreaterThan(100);
  const wrong = messages.filter(
    ({ literal }) => rejectedIn(literal.replaceAll(/\$\{[^}]*\}/g, '')).length > 0,
  );
  expect(wrong).toEqual([]);
});

test('the glossary lists every variable that holds a key', () => {
  const readers = trackedFiles(/^(ops|examples|\.github)\/.*\.(ts|js|py|go|java|sh|yml)$/);
  const used = readers.flatMap(
    (file) => readFileSync(file, 'utf8').match(/\b[A-Z]+_(?:[A-Z]+_)?API_KEY\b/g) ?? [],
  );
  const listed = textOfSection('Variables that hold a key').match(/(?<=`)[A-Z_]+(?=`)/g) ?? [];
  expect(listed.sort()).toEqual([...new Set(used)].sort());
});
