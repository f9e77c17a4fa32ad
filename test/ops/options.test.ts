import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore } from '../../ops/program.ts';
import { addChangingCommand } from '../../ops/stage/stage-command.ts';
import { pages, textOf } from '../support/docs/markdown.ts';

const read = (pattern: string): string =>
  globSync(pattern)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

const typed = read('test/ops/**/*.session').match(/^(local|prod|)\$ .*/gm) ?? [];

/** The options that every command on a stage has. */
const shared = addChangingCommand(new Command(), 'any', '').options.map(({ long }) => long);

const optionsOf = (
  command: Command,
  path: string[] = [],
): { command: string; option: string }[] => [
  ...command.options.map(({ long }) => ({ command: path.join(' '), option: String(long) })),
  ...command.commands.flatMap((each) => optionsOf(each, [...path, each.name()])),
];
const program = petstore({ stderr: {}, stdout: {}, env: {} } as unknown as Terminal);
const options = optionsOf(program);

/** Whether a test types an option: in a session, or in a file of those of its kind. */
const isTested = ({ command, option }: (typeof options)[number]): boolean => {
  if (shared.includes(option) && command !== 'start') {
    return read('test/ops/stage/*.test.ts').includes(`'${option}'`);
  }
  return command.includes(' ')
    ? typed.some(
        (line) => `${line} `.includes(` ${command} `) && `${line} `.includes(` ${option} `),
      )
    : read('test/**/*.ts').includes(`'${option}'`);
};

test('each option of the command is typed in a test', () => {
  expect(options.length).toBeGreaterThan(20);
  expect(options.filter((each) => !isTested(each))).toStrictEqual([]);
});

const text = pages
  .filter((page) => page !== 'CHANGELOG.md')
  .map(textOf)
  .join('\n');

test('each command of a group is typed in a session, and explained on a page', () => {
  const commands = program.commands.flatMap((group) =>
    group.commands.map((command) => `${group.name()} ${command.name()}`),
  );
  expect(commands.length).toBeGreaterThan(5);
  const isTyped = (command: string) => typed.some((line) => `${line} `.includes(` ${command} `));
  const isExplained = (command: string) => new RegExp(`petstore ${command}\\b`).test(text);
  expect(commands.filter((each) => !isTyped(each) || !isExplained(each))).toStrictEqual([]);
});

test('each option is explained on a page', () => {
  const explained = (option: string) => new RegExp(`${option}(?![\\w-])`).test(text);
  const absent = options.filter(({ option }) => option !== '--version' && !explained(option));
  expect(absent).toStrictEqual([]);
});
