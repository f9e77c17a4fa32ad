// What is pasted from a page does the same in bash and in zsh, a Mac's shell. An interactive zsh
// knows no comments, does not split variables, and stops where nothing matches a pattern.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { stepsOf } from '../support/docs/console.ts';
import { blocksOf, pages, textOf } from '../support/docs/markdown.ts';
import { ended, outputOf } from '../support/process/tools.ts';

/** Each block of a page that is pasted into a shell. */
const blocks = pages.flatMap((page) =>
  [
    ...blocksOf(textOf(page), 'sh'),
    ...stepsOf(textOf(page)).map(({ command }) => `${command}\n`),
  ].map((block) => ({ page, block })),
);

/** No program is run: each prints two words, so that loops over its output run twice. */
const handler = (name: string) =>
  `${name}() { printf '%s\\n' "$(printf '<%s>' "$@")" >> "$CALLS"; echo one two; }\n`;

const shells = {
  bash: { options: ['--norc', '--noprofile', '-i'], handler: handler('command_not_found_handle') },
  zsh: { options: ['-f', '-i'], handler: handler('command_not_found_handler') },
};

/** Makes a directory with the files that a block reads and the directories that it enters. */
const directoryFor = (block: string): string => {
  const directory = mkdtempSync(join(tmpdir(), 'pasted-'));
  for (const [, file = ''] of block.matchAll(/ < ([\w.-]+)/g)) {
    writeFileSync(join(directory, file), 'a line\n');
  }
  for (const [, name = ''] of block.matchAll(/\bcd ([\w/.-]+)/g)) {
    mkdirSync(join(directory, name), { recursive: true });
  }
  return directory;
};

/** Pastes a block into an interactive shell. Returns the programs that it runs, with their arguments. */
const callsIn = async (shell: keyof typeof shells, block: string): Promise<string> => {
  const directory = directoryFor(block);
  const calls = join(directory, 'calls');
  writeFileSync(calls, '');
  const { options, handler: define } = shells[shell];
  const path = (await outputOf('which', shell)).trim();
  const child = spawn(path, options, {
    cwd: directory,
    env: { PATH: directory, HOME: directory, CALLS: calls },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(`${define}${block}`);
  await ended(child);
  // The programs of a pipeline start at the same time, in any order.
  const called = readFileSync(calls, 'utf8').split('\n').sort().join('\n');
  rmSync(directory, { recursive: true });
  return called.replaceAll(directory, '~');
};

test('every block of a page that is pasted runs the same in bash and zsh', async () => {
  expect(blocks.length).toBeGreaterThan(50);
  const outcomes = [];
  for (const { page, block } of blocks) {
    const [bash, zsh] = [await callsIn('bash', block), await callsIn('zsh', block)];
    outcomes.push({ page, block, bash, zsh });
  }
  expect(outcomes.filter(({ bash }) => bash !== '').length).toBeGreaterThan(50);
  expect(outcomes.filter(({ bash, zsh }) => bash !== zsh)).toStrictEqual([]);
});
