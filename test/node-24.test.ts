import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { atEnd } from './support/process/at-end.ts';
import { childProcesses } from './support/process/child-processes.ts';
import { ctrlC, onTerminal } from './support/process/terminal.ts';
import { ended, project } from './support/process/tools.ts';

const launcher = join(project, 'node-24.cjs');
const directory = mkdtempSync(join(tmpdir(), 'petstore-launcher-'));

const programOf = (source: string): string => {
  const path = join(directory, `${crypto.randomUUID()}.mjs`);
  writeFileSync(path, source);
  return path;
};

/** The environment of a user; that of the tests already has what the launcher adds. */
const env: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: '' };

const launch = (args: string[], options: SpawnOptions = {}): ChildProcess => {
  const child = spawn(process.execPath, args, { env, ...options });
  atEnd(() => kill(child));
  return child;
};

/** Kills a process that a failed test has left. What it has started ends with its input. */
const kill = (child: ChildProcess): void => {
  child.stdin?.destroy();
  child.kill('SIGKILL');
};

/** Options that make Node believe it is another one. */
const pretend = (version: string, platform: string = process.platform): string[] => {
  const program = `
    Object.defineProperty(process.versions, 'node', { value: '${version}' });
    Object.defineProperty(process, 'platform', { value: '${platform}' });`;
  return [`--import=data:text/javascript,${encodeURIComponent(program)}`];
};

const report = programOf(`
  import { execFileSync, execSync } from 'node:child_process';
  import 'node:sqlite';
  import { stripTypeScriptTypes } from 'node:module';
  stripTypeScriptTypes('');
  console.log(JSON.stringify({
    node: process.execPath,
    nodeInShell: execSync('node -p process.execPath', { encoding: 'utf8' }).trim(),
    vmModules: execFileSync(process.execPath, ['-p', 'typeof vm.SourceTextModule'], {
      encoding: 'utf8',
    }).trim(),
    pid: process.pid,
    options: process.env.NODE_OPTIONS,
  }));`);

const reported = async (child: ChildProcess) => {
  const { code, output, errors } = await ended(child);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return JSON.parse(output);
};

const needed = '--experimental-vm-modules --disable-warning=ExperimentalWarning';

/** A PATH without the Node that npm has installed. */
const PATH = '/usr/bin:/bin';

test.each([
  { from: 'an older Node', options: '', given: pretend('20.0.0') },
  { from: 'an older Node with the needed options', options: needed, given: pretend('22.0.0') },
  { from: 'a newer Node', options: needed, given: pretend('26.0.0') },
  { from: 'Node 24 without options', options: '', given: [] },
])('from $from, the Node that npm has installed is started, without a warning', async (row) => {
  const child = launch([...row.given, launcher, report], {
    env: { ...env, PATH, NODE_OPTIONS: row.options },
  });
  const { pid, ...found } = await reported(child);
  const node = process.execPath;
  expect(found).toEqual({ node, nodeInShell: node, vmModules: 'function', options: needed });
  expect(pid).not.toBe(child.pid);
});

test('options that the user has set are kept', async () => {
  const child = launch([launcher, report], { env: { ...env, NODE_OPTIONS: '--no-deprecation' } });
  expect(await reported(child)).toMatchObject({ options: `--no-deprecation ${needed}` });
});

test('Node 24 with the needed options runs the program itself; shells find it', async () => {
  const child = launch([launcher, report], {
    env: { ...env, PATH, NODE_OPTIONS: needed },
  });
  expect(await reported(child)).toMatchObject({
    pid: child.pid,
    options: needed,
    nodeInShell: process.execPath,
  });
});

test.each(['24.0.0', '26.0.0'])(
  'where npm installs no Node, Node %s is used with the needed options',
  async (version) => {
    const child = launch([...pretend(version, 'aix'), launcher, report]);
    expect(await reported(child)).toMatchObject({ options: needed });
  },
);

test('where npm installs no Node, an older one says what to do', async () => {
  const { arch } = process;
  const errors =
    'Run npm ci. If you have, install Node 24 or later (https://nodejs.org): ' +
    `this is v23.11.1, and npm has installed none for aix-${arch}.\n`;
  expect(await ended(launch([...pretend('23.11.1', 'aix'), launcher, report]))).toEqual({
    code: 1,
    output: '',
    errors,
  });
});

test('a Node that cannot run is named', async () => {
  const machine = `${process.platform}-${process.arch}`;
  const name = `node-${machine === 'darwin-arm64' ? 'bin-' : ''}${machine}`;
  const manifest = join(directory, 'node_modules', name, 'package.json');
  mkdirSync(dirname(manifest), { recursive: true });
  writeFileSync(manifest, '{"bin":{"node":"bin/absent"}}');
  copyFileSync(launcher, join(directory, 'node-24.cjs'));
  const node = join(dirname(manifest), 'bin/absent');
  expect(await ended(launch([join(directory, 'node-24.cjs'), report]))).toEqual({
    code: 1,
    output: '',
    errors: `Node 24 does not run on this machine: spawn ${node} ENOENT.\n`,
  });
});

test('a program gets its arguments and streams, and its exit code is returned', async () => {
  const program = programOf(`
    import { text } from 'node:stream/consumers';
    console.log(process.argv.slice(2), await text(process.stdin));
    console.error('failed');
    process.exit(7);`);
  const child = launch([launcher, program, 'a b', '--version', '$HOME']);
  child.stdin?.end('input');
  expect(await ended(child)).toEqual({
    code: 7,
    output: "[ 'a b', '--version', '$HOME' ] input\n",
    errors: 'failed\n',
  });
});

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'])(
  'the launcher is ended by the signal that ends the program: %s',
  async (signal) => {
    const program = programOf(`process.kill(process.pid, '${signal}'); setInterval(() => {}, 1e6)`);
    expect(await once(launch([launcher, program]), 'exit')).toEqual([null, signal]);
  },
);

/** Prints all signals that it has received, and ends at SIGTERM or without input. */
const counter = programOf(`
  const received = [];
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) {
    process.on(signal, () => {
      received.push(signal);
      console.log('received ' + received.join(' '));
      if (signal === 'SIGTERM') process.exit();
    });
  }
 process.stdin.on('error', () => process.exit()).on('end', () => process.exit()).resume();
  console.log('launcher ' + process.ppid + '.');`);

/** Collects what a child prints. */
const reader = (child: ChildProcess) => {
  const stdout = child.stdout as Readable;
  let output = '';
  stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  return {
    /** Waits until the child has printed the text. */
    shown: async (text: string | RegExp): Promise<string> => {
      for (;;) {
        const found = output.match(text);
        if (found) {
          return found[1] ?? '';
        }
        await once(stdout, 'data');
      }
    },
    received: () => output.match(/(?<=received ).*\w/g)?.at(-1),
  };
};

test('each signal to the launcher reaches the program once, and nothing stays behind', async () => {
  const child = launch([launcher, counter]);
  const { shown, received } = reader(child);
  await shown('launcher');
  const processes = childProcesses(child.pid);
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGINT'] as const) {
    child.kill(signal);
    await shown(new RegExp(`${signal}\n$`));
  }
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(received()).toBe('SIGINT SIGHUP SIGINT SIGTERM');
  expect(processes.length).toBeGreaterThan(0);
  await waitForEnd(processes);
});

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

const waitForEnd = async (processes: number[]): Promise<void> => {
  while (processes.some(isRunning)) {
    await new Promise(setImmediate);
  }
};

const launchOnTerminal = (...command: string[]): ChildProcess => {
  const child = onTerminal(command, { env });
  atEnd(() => kill(child));
  return child;
};

test('on a terminal, each Ctrl-C reaches the program once', async () => {
  const child = launchOnTerminal(process.execPath, launcher, counter);
  const { shown, received } = reader(child);
  const launched = Number(await shown(/launcher (\d+)\./));
  for (const signals of ['SIGINT', 'SIGINT SIGINT']) {
    child.stdin?.write(ctrlC);
    await shown(`received ${signals}\r`);
  }
  process.kill(launched, 'SIGTERM');
  await once(child, 'close');
  expect(received()).toBe('SIGINT SIGINT SIGTERM');
});

test('on a terminal, a SIGINT to the launcher and a later Ctrl-C arrive once each', async () => {
  const child = launchOnTerminal(process.execPath, launcher, counter);
  const { shown, received } = reader(child);
  const launched = Number(await shown(/launcher (\d+)\./));
  process.kill(launched, 'SIGINT');
  await shown('received SIGINT\r');
  child.stdin?.write(ctrlC);
  await shown('received SIGINT SIGINT\r');
  process.kill(launched, 'SIGTERM');
  await once(child, 'close');
  expect(received()).toBe('SIGINT SIGINT SIGTERM');
});

test('Ctrl-C reaches the program once even if npm hands it on to the launcher', async () => {
  // npm does so where `sh` is bash: it sends SIGINT to the process that it has started.
  const npm = programOf(`
    import { spawn } from 'node:child_process';
    const [node, , ...args] = process.argv;
    const child = spawn(node, args, { stdio: 'inherit' });
    process.on('SIGINT', () => {
      child.kill('SIGINT');
      console.log('handed on');
    });
    process.on('SIGTERM', () => {});`);
  const child = launchOnTerminal(process.execPath, npm, launcher, counter);
  const { shown, received } = reader(child);
  const launched = Number(await shown(/launcher (\d+)\./));
  child.stdin?.write(ctrlC);
  await shown('handed on');
  await shown('received SIGINT\r');
  process.kill(launched, 'SIGTERM');
  await once(child, 'close');
  expect(received()).toBe('SIGINT SIGTERM');
});
