import { spawnSync } from 'node:child_process';
import { expect, jest, test } from '@jest/globals';
import type { Command } from 'commander';
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore } from '../../ops/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { commandsOf } from '../support/docs/commands.ts';
import { blocksOf, pages, textOf } from '../support/docs/markdown.ts';
import { petstore as run } from '../support/ops/petstore.ts';

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

const inPages = pages
  .flatMap((page) => commandsOf(textOf(page)))
  .filter((command) => ofPetstore.test(command));

/** Returns the commands that the help of petstore, or of a group, gives as examples. */
const examplesOf = async (...group: string[]): Promise<string[]> =>
  (await run([...group, '--help'])).output.match(/(?<=^ {2})npx .*/gm) ?? [];
const inHelp = [
  ...(await examplesOf()),
  ...(await examplesOf('keys')),
  ...(await examplesOf('inventory')),
];

test.each([...new Set([...inPages, ...inHelp])])('%s is a valid command', async (command) => {
  // What Commander prints is the message of the error that it throws.
  const program = petstore({ stderr: { write: () => {} }, env: {} } as unknown as Terminal);
  disarm(program);
  // In the year 2200, so that a command whose date will one day have passed fails today.
  jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2200));
  await program.parseAsync(argumentsOf(command), { from: 'user' });
});

test('every npm script that a page names exists', () => {
  const script = /\bnpm run ([\w:-]+)/g;
  const named = pages.flatMap((page) => [...textOf(page).matchAll(script)].map(([, name]) => name));
  expect(Object.keys(manifest.scripts)).toStrictEqual(expect.arrayContaining(named));
});

test('every shell block is one for a plain sh', () => {
  const blocks = pages.flatMap((page) =>
    blocksOf(textOf(page), 'sh').map((block) => ({ page, block })),
  );
  const refused = blocks
    .map(({ page, block }) => ({ page, ...spawnSync('sh', ['-n'], { input: block }) }))
    .filter(({ status }) => status !== 0)
    .map(({ page, stderr }) => ({ page, stderr: String(stderr) }));
  expect(blocks.length).toBeGreaterThan(10);
  expect(refused).toStrictEqual([]);
});
