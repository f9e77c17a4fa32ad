import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore as programOn } from '../../ops/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { petstore } from '../support/ops/petstore.ts';

/** Returns the words of a command, and of all commands in it. */
const wordsOfAll = (command: Command, words: string[] = []): string[][] => [
  words,
  ...command.commands.flatMap((each) => wordsOfAll(each, [...words, each.name()])),
];

/** A group has a heading of the second level, and each of its commands one below. */
const sectionOf = async (words: string[]): Promise<string> => {
  const { output } = await petstore([...words, '--help']);
  const heading = ['#'.repeat(words.length + 1), 'petstore', ...words].join(' ');
  return `${heading}\n\n\`\`\`text\n${output}\`\`\`\n`;
};

const introduction = `\
<!-- Written by UPDATE_RECORDED=1 npm test -- test/ops -->
`;

test('docs/petstore.md is what each command says with --help', async () => {
  const program = programOn({ env: {} } as Terminal);
  const sections = [];
  for (const words of wordsOfAll(program)) {
    sections.push(await sectionOf(words));
  }
  const page = [introduction, ...sections].join('\n');
  if (process.env.UPDATE_RECORDED) {
    writeFileSync('docs/petstore.md', page);
  }
  expect(page).toBe(readFileSync('docs/petstore.md', 'utf8'));
});

test('every way to ask for help, or for the version, is a success', async () => {
  const help = await petstore(['--help']);
  expect(help.code).toBe(0);
  expect(await petstore(['-h'])).toStrictEqual(help);
  expect(await petstore(['help'])).toStrictEqual(help);
  const version = { code: 0, output: `${manifest.version}\n`, errors: '' };
  expect(await petstore(['--version'])).toStrictEqual(version);
});

test.each([[], ['keys'], ['inventory']])(
  'petstore without a command is wrong usage, and shows the help: %j',
  async (...words) => {
    const { output } = await petstore([...words, '--help']);
    expect(await petstore(words)).toStrictEqual({ code: 2, output: '', errors: output });
  },
);
