import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import type { Command } from 'commander';
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore } from '../../ops/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { anchorsOf, pages, textOf, withoutBlocks } from '../support/docs/markdown.ts';

/**
 * Returns the commands typed in a file's shell blocks, without their output. An argument from xargs
 * is a 1.
 */
const commandsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^```(sh|console)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, block = '']) => {
      const lines = block
        .replaceAll(/ *\\\n */g, ' ')
        .replaceAll(/(^| +)#.*/gm, '')
        .split('\n');
      const typed =
        language === 'sh'
          ? lines
          : lines.flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));
      const run = (command: string) => command.trim().replace(/^xargs -n 1 (.*)(?= <)/, '$1 1');
      return typed
        .flatMap((line) =>
          line
            .replace(/^\(/, '')
            .split(/ && | \| /)
            .map(run),
        )
        .filter(Boolean);
    },
  );

const commands = pages.flatMap(commandsOf);

test.each(pages)(
  '%s: every relative link and anchor resolves, and every file that it names exists',
  (file) => {
    const resolves = (target: string) => {
      const [path = '', anchor] = target.split('#');
      const page = path === '' ? file : normalize(join(dirname(file), path));
      return existsSync(page) && (anchor === undefined || anchorsOf(page).includes(anchor));
    };
    const targets =
      withoutBlocks(textOf(file)).match(/(?<=\]\()(?!https?:|mailto:)[^)\s]+(?=\))/g) ?? [];
    const folders = 'functions|infra|local|ops|bench|test|docs|examples';
    const named = textOf(file).match(new RegExp(`(?<=\`)(${folders})/[\\w./-]+(?=\`)`, 'g')) ?? [];
    expect(targets.filter((target) => !resolves(target))).toEqual([]);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  },
);

test.each(pages.filter((file) => /^docs\/[^/]+$/.test(file)))(
  '%s: its table of contents lists every section',
  (file) => {
    const [head = '', ...sections] = withoutBlocks(textOf(file)).split(/^## /m);
    const contents = [...head.matchAll(/\[([^\]]+)\]\(#[^)]+\)/g)].map(([, name]) => name);
    expect(contents).toEqual(sections.map((section) => section.split('\n')[0]));
  },
);

const ofPetstore = /^npx --no -- petstore /;
const ofHelp = petstore({} as Terminal).allExamples();
const typed = [...commands.filter((command) => ofPetstore.test(command)), ...ofHelp];
test.each(typed)('%s is a valid command', async (command) => {
  const [line = ''] = command.replace(ofPetstore, '').split(/ [<>] /);
  const words = line.match(/'[^']*'|"[^"]*"|[^\s<>]+/g) ?? [];
  const program = petstore({} as Terminal);
  const disarm = (parent: Command): unknown =>
    parent.commands.length === 0 ? parent.action(() => {}) : parent.commands.forEach(disarm);
  disarm(program);
  const unquoted = words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
  // The clock is in the year 2200, so that a command whose date will one day have passed fails
  // today.
  jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2200));
  await program.parseAsync(unquoted, { from: 'user' });
});

test('every npm script that a document names exists', () => {
  // The programs in examples/ have scripts of their own.
  const script = /\bnpm run ([\w:-]+)(?![\w:-]| --prefix)/g;
  const named = pages.flatMap((file) => [...textOf(file).matchAll(script)].map(([, name]) => name));
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named));
});

test('each section of docs/performance.md names the npm script behind its figures', () => {
  const sections = textOf('docs/performance.md').split(/^## /m);
  const withFigures = sections.filter((section) => /^\|.*\|$/m.test(section));
  expect(withFigures.filter((section) => !/`npm run [\w:]+`/.test(section))).toEqual([]);
  expect(withFigures.length).toBeGreaterThan(2);
});
