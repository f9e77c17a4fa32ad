import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import type { Command } from 'commander';
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore } from '../../ops/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { commandsOf, joinLines } from '../support/docs/console.ts';
import { blocksOf, pages, textOf } from '../support/docs/markdown.ts';
import { petstore as run } from '../support/ops/petstore.ts';
import { atEnd } from '../support/process/at-end.ts';
import { ignoredFiles } from '../support/process/tracked-files.ts';

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

/** Returns the commands that the help of petstore, or of a group, gives as examples. */
const examplesOf = async (...group: string[]): Promise<string[]> =>
  (await run([...group, '--help'])).output.match(/(?<=^ {2})npx .*/gm) ?? [];
const inHelp = [
  ...(await examplesOf()),
  ...(await examplesOf('keys')),
  ...(await examplesOf('inventory')),
];

test.each([...new Set([...inPages.filter((command) => ofPetstore.test(command)), ...inHelp])])(
  '%s is a valid command',
  async (command) => {
    // What Commander prints is the message of the error that it throws.
    const program = petstore({ stderr: { write: () => {} }, env: {} } as unknown as Terminal);
    disarm(program);
    // In the year 2200, so that a command whose date will one day have passed fails today.
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2200));
    await program.parseAsync(argumentsOf(command), { from: 'user' });
  },
);

test('every example in a help that needs a stage names it', () => {
  const examples = inHelp.filter((example) => / petstore (keys|inventory) /.test(example));
  expect(examples.length).toBeGreaterThan(5);
  expect(examples.filter((example) => !/ --(stage|local)\b/.test(example))).toStrictEqual([]);
});

test('every npm script that a page names exists', () => {
  // The programs in examples/ have scripts of their own.
  const script = /\bnpm run ([\w:-]+)(?![\w:-]| --prefix)/g;
  const named = pages.flatMap((page) => [...textOf(page).matchAll(script)].map(([, name]) => name));
  expect(Object.keys(manifest.scripts)).toStrictEqual(expect.arrayContaining(named));
});

const shellBlocks = pages.flatMap((page) =>
  blocksOf(textOf(page), 'sh').map((block) => ({ page, block })),
);
const asking = shellBlocks.filter(({ block }) => /^[^#]*\bread\b.* PETSTORE_API_KEY/m.test(block));

test('every shell block is one for a plain sh', () => {
  const refused = shellBlocks
    .map(({ page, block }) => ({ page, ...spawnSync('sh', ['-n'], { input: block }) }))
    .filter(({ status }) => status !== 0)
    .map(({ page, stderr }) => ({ page, stderr: String(stderr) }));
  expect(shellBlocks.length).toBeGreaterThan(20);
  expect(refused).toStrictEqual([]);
});

test('git ignores what operators’ commands write, or the next Commit would be dirty', () => {
  const operators = ['deploy', 'keys', 'runbook', 'stock-and-recovery'].map(
    (name) => `docs/${name}.md`,
  );
  const written = operators
    .flatMap((page) => [...textOf(page).matchAll(/ > ([\w.-]+\.\w+)|-o ([\w.-]+\.\w+)/g)])
    .map(([, redirected, option]) => redirected ?? option ?? '');
  expect(new Set(written).size).toBeGreaterThan(5);
  const ignored = ignoredFiles(written);
  expect(written.filter((name) => !ignored.includes(name))).toStrictEqual([]);
});

test.each(asking)(
  '$page: the block that asks for a key reads what is pasted after it',
  ({ block }) => {
    // What stands after the question would be read as the key if the whole block were pasted.
    const question = block.trimEnd().split('\n').at(-1);
    expect(question).toMatch(/\bread\b/);
    // stty says that this is no terminal.
    const { stdout } = spawnSync('sh', ['-c', `${question}\nenv`], { input: 'KEY\\1\nmore\n' });
    expect(String(stdout)).toMatch(/^PETSTORE_API_KEY=KEY\\1$/m);
  },
);

test('pages ask for keys, and with no option of read that a plain sh lacks', () => {
  expect(new Set(asking.map(({ page }) => page))).toStrictEqual(
    new Set(['docs/quick-start.md', 'docs/runbook.md']),
  );
  expect(pages.filter((page) => /\bread -\w*[^r\s]/.test(textOf(page)))).toStrictEqual([]);
});

/** The lines that issue a key, each with what the page does with it. */
const issuing = shellBlocks.flatMap(({ page, block }) =>
  joinLines(block)
    .split('\n')
    .filter((line) => /petstore keys (create|rotate)/.test(line))
    .map((line) => ({ page, line })),
);

test.each(issuing)('$page: $line keeps the key that it has if it fails', ({ line }) => {
  const home = mkdtempSync(join(tmpdir(), 'keys-'));
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  // Every file that the line names holds a key, and so does the secret.
  const named = line.match(/[\w~/-]+[.-]key\b/g) ?? [];
  const kept = ['secret', ...named.map((file) => file.replace('~/', ''))].filter(
    (file) => file !== 'new.key',
  );
  for (const file of kept) {
    writeFileSync(join(home, file), 'OLD');
  }
  const commands = 'npx() { return 1; }; gh() { cat > secret; }';
  const { status } = spawnSync('sh', ['-c', `${commands}\n${line}`], {
    cwd: home,
    env: { ...process.env, HOME: home },
  });
  expect(status).toBe(1);
  expect(kept.map((file) => readFileSync(join(home, file), 'utf8'))).toStrictEqual(
    kept.map(() => 'OLD'),
  );
});
