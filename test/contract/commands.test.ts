// The commands in the pages can be typed. docs/petstore.md has those in the help, too.
import { spawnSync } from 'node:child_process';
import { expect, jest, test } from '@jest/globals';
import type { Command } from 'commander';
import recoverer from '../../infra/policies/prod-recoverer.json' with { type: 'json' };
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore } from '../../ops/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { joinLines } from '../support/docs/commands.ts';
import { blocksOf, pages, textOf } from '../support/docs/markdown.ts';

/** What follows `petstore` in each command of a page, also of one within a sentence. */
const commands = pages.flatMap(
  (page) =>
    joinLines(textOf(page)).match(/(?<=npx --no -- petstore ).*?(?=`| && | \| | +#|$)/gm) ?? [],
);

/** Splits a command into its words, as a shell would. */
const wordsOf = (command: string): string[] => {
  const [line = ''] = command.split(/ [<>] /);
  const words = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
};

/** Makes commands only read their arguments. */
const disarm = (command: Command): void => {
  command.action(() => {});
  command.commands.forEach(disarm);
};

test.each([...new Set(commands)])('petstore %s is a valid command', async (line) => {
  // What Commander prints is the message of the error that it throws.
  const program = petstore({ stderr: { write: () => {} }, env: {} } as unknown as Terminal);
  disarm(program);
  // In the year 2200, so that a command whose date will one day have passed fails today.
  jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2200));
  await program.parseAsync(wordsOf(line), { from: 'user' });
});

test('a recoverer may run each command of the runbook on a table', () => {
  const commands = textOf('docs/runbook.md').matchAll(/aws dynamodb ([\w-]+)/g);
  const needed = Array.from(commands, ([, command = '']) => {
    const action = command === 'wait' ? 'describe-table' : command;
    return `dynamodb:${action.replaceAll(/(^|-)\w/g, (part) => part.at(-1)?.toUpperCase() ?? '')}`;
  });
  const allowed = recoverer.Statement.flatMap(({ Action }) => Action);
  expect(needed).toContain('dynamodb:RestoreTableFromBackup');
  expect(allowed).toStrictEqual(expect.arrayContaining(needed));
});

test('every npm script that a page names exists', () => {
  const named = pages.flatMap((page) => textOf(page).match(/(?<=\bnpm run )[\w:-]+/g) ?? []);
  expect(Object.keys(manifest.scripts)).toStrictEqual(expect.arrayContaining(named));
});

test('every shell block is one for a plain sh', () => {
  const blocks = pages.flatMap((page) => blocksOf(textOf(page), 'sh'));
  expect(blocks).not.toStrictEqual([]);
  for (const input of blocks) {
    const { status, stderr } = spawnSync('sh', ['-n'], { input, encoding: 'utf8' });
    expect({ input, status, stderr }).toStrictEqual({ input, status: 0, stderr: '' });
  }
});
