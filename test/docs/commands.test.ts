import { expect, jest, test } from '@jest/globals';
import type { Command } from 'commander';
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore } from '../../ops/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { commandsOf } from '../support/docs/console.ts';
import { pages, textOf } from '../support/docs/markdown.ts';

const ofPetstore = /^npx --no -- petstore /;

/** Splits a command of petstore into its arguments, as a shell would. */
const argumentsOf = (command: string): string[] => {
  const [line = ''] = command.replace(ofPetstore, '').split(/ [<>] /);
  const words = line.match(/'[^']*'|"[^"]*"|[^\s<>]+/g) ?? [];
  return words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
};

/** Makes commands only read their arguments. */
const disarm = (command: Command): void => {
  command.action(() => {});
  command.commands.forEach(disarm);
};

const inPages = pages.flatMap((page) => commandsOf(textOf(page)));
const root = petstore({} as Terminal);
const inHelp = [root, ...root.commands].flatMap((command) => command.allExamples());

test.each([...new Set([...inPages.filter((command) => ofPetstore.test(command)), ...inHelp])])(
  '%s is a valid command',
  async (command) => {
    const program = petstore({} as Terminal);
    disarm(program);
    // In the year 2200, so that a command whose date will one day have passed fails today.
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2200));
    await program.parseAsync(argumentsOf(command), { from: 'user' });
  },
);

test('every example in a help that needs a stage names it', () => {
  const examples = inHelp.filter((example) => /^(keys|inventory|acceptance)\b/.test(example));
  expect(examples.filter((example) => !/ --(stage|local|base-url)\b/.test(example))).toEqual([]);
});

test('every npm script that a page names exists', () => {
  // The programs in examples/ have scripts of their own.
  const script = /\bnpm run ([\w:-]+)(?![\w:-]| --prefix)/g;
  const named = pages.flatMap((page) => [...textOf(page).matchAll(script)].map(([, name]) => name));
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named));
});
