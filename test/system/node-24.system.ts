// Which Node runs our programs, and what they get of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { atEnd } from '../support/process/at-end.ts';
import { ended, project } from '../support/process/tools.ts';
import { until } from '../support/process/until.ts';

/** Makes the launcher take itself for one on an older Node. */
const older = `--import=data:text/javascript,${encodeURIComponent(
  'Object.defineProperty(process.versions, "node", { value: "20.20.2" });',
)}`;

/** Makes a directory with the launcher and a program, whose text it gets. */
const checkout = (text: string): string => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-launcher-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(join(project, 'node-24.cjs'), join(directory, 'node-24.cjs'));
  writeFileSync(join(directory, 'program.mjs'), text);
  return directory;
};

/** Adds a packaged Node, which says that it is one. Returns its file. */
const addPackage = (directory: string): string => {
  const folder = join(directory, `node_modules/node-${process.platform}-${process.arch}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"bin":{"node":"node"}}');
  const node = join(folder, 'node');
  const program = `#!/bin/sh\nPACKAGED=yes exec '${process.execPath}' "$@"\n`;
  writeFileSync(node, program, { mode: 0o755 });
  return node;
};

/** Returns the command that starts the program of a directory by the launcher. */
const commandOf = (directory: string, ...options: string[]): string[] => [
  process.execPath,
  ...options,
  join(directory, 'node-24.cjs'),
  join(directory, 'program.mjs'),
];

const start = ([command = '', ...args]: string[]) => {
  const child = spawn(command, args);
  atEnd(() => child.kill());
  return child;
};

const report = `
  const { PACKAGED = 'no' } = process.env;
  const vm = await import('node:vm');
  console.log(JSON.stringify([PACKAGED, typeof vm.SourceTextModule, process.argv.slice(2)]));
  process.exitCode = 7;`;

test.each([
  { what: 'this Node if it is new enough', options: [], packaged: 'no' },
  { what: 'the packaged one if it is not', options: [older], packaged: 'yes' },
])('a program runs on $what, with its arguments, and its exit code is kept', async (row) => {
  const directory = checkout(report);
  addPackage(directory);
  const args = ['a b', '--help', "'"];
  const run = start([...commandOf(directory, ...row.options), ...args]);
  expect(await ended(run)).toStrictEqual({
    code: 7,
    output: `${JSON.stringify([row.packaged, 'function', args])}\n`,
    errors: '',
  });
});

test('without a Node that is new enough, one sentence says what to do', async () => {
  const run = start(commandOf(checkout(report), older));
  expect(await ended(run)).toStrictEqual({
    code: 1,
    output: '',
    errors:
      'This is Node v20.20.2, but petstore needs 24 or later. Run npm ci, which installs one, or ' +
      'install it yourself (https://nodejs.org).\n',
  });
});

test('a Node that cannot be started is told with its error', async () => {
  const directory = checkout(report);
  const node = addPackage(directory);
  chmodSync(node, 0o644);
  const run = start(commandOf(directory, older));
  expect(await ended(run)).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `Node 24 or later cannot be started: spawn ${node} EACCES. Run npm ci, which installs one, or ` +
      'install it yourself (https://nodejs.org).\n',
  });
});

test('a SIGTERM is handed on, and a Ctrl-C is left to the terminal', async () => {
  const waiting = `
    process.on('SIGTERM', () => { console.log('terminated'); process.exit(3); });
    process.on('SIGINT', () => console.log('interrupted'));
    setInterval(() => {}, 1_000);
    console.log('ready');`;
  const child = start(commandOf(checkout(waiting)));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const end = ended(child);
  await until('the program', () => output.includes('ready'));
  child.kill('SIGINT');
  child.kill('SIGTERM');
  expect((await end).code).toBe(3);
  expect(output).toBe('ready\nterminated\n');
});

// test/ops/start/starter.system.ts shows that what npm has started ends with it.
test('a program that somebody has detached goes on', async () => {
  const command = commandOf(checkout("setInterval(() => {}, 1_000); console.log('ready');"));
  const starter = start(['sh', '-c', '"$@" & echo $!; read line', 'sh', ...command]);
  let output = '';
  starter.stdout.on('data', (chunk) => (output += chunk));
  const ends = once(starter.stdout, 'close').then(() => false);
  await until('the program', () => output.includes('ready'));
  starter.stdin.end();
  // It would look once a second.
  expect(await Promise.race([ends, sleep(2_500, true, { ref: false })])).toBe(true);
  process.kill(Number.parseInt(output, 10));
});
