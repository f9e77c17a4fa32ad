import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryDirectory } from '../support/local/local-run.ts';
import { prompted, spawnOps } from '../support/ops/ops.ts';
import { tablesOfStage } from '../support/ops/ops-stage.ts';
import { preload } from '../support/process/preload.ts';
import { onTerminal } from '../support/process/terminal.ts';
import { ended, project } from '../support/process/tools.ts';

const bin = join(project, 'ops/petstore.cjs');
const env = { ...process.env, TMPDIR: temporaryDirectory, NO_COLOR: '' };

const stage = tablesOfStage();

test('npx --no -- petstore runs the program of the checkout from any folder in it', async () => {
  const npx = spawn('npx', ['--no', '--', 'petstore', '--version'], {
    cwd: join(project, 'functions'),
  });
  expect(await ended(npx)).toEqual({ code: 0, output: `${manifest.version}\n`, errors: '' });
  // npm and shells run a file only if it is executable.
  expect(
    execFileSync('git', ['ls-files', '--stage', bin], { cwd: project, encoding: 'utf8' }),
  ).toMatch(/^100755 /);
});

test('petstore says that npm ci is needed first', async () => {
  for (const file of ['ops/petstore.cjs', 'node-24.cjs']) {
    cpSync(join(project, file), join(temporaryDirectory, file));
  }
  const child = spawn(process.execPath, [join(temporaryDirectory, 'ops/petstore.cjs'), 'start']);
  const advice = 'Run npm ci in this checkout first: it installs the packages that petstore needs.';
  expect(await ended(child)).toEqual({ code: 1, output: '', errors: `petstore: ${advice}\n` });
});

const never =
  'process.stdin[Symbol.asyncIterator] = async function* () { await new Promise(() => {}) }';
const withoutInput = { ...env, NODE_OPTIONS: preload(never) };
test.each<[string, 'pipe' | number, number, RegExp]>([
  ['inventory export', 'pipe', 0, /^Stage: .*\n$/],
  ['inventory check', 'pipe', 8, / break the contract: 1\.\n.*\n$/],
  [
    'keys create --name x',
    'pipe',
    1,
    /: write EPIPE\.\nRevoke it: npx --no -- petstore keys revoke \w+ --local\n$/,
  ],
  [
    'keys list --json',
    openSync('/dev/full', 'w'),
    1,
    /\n\{"error":\{"code":"unexpected",.* standard output: ENOSPC/,
  ],
  ['keys find', 'pipe', 1, /\npetstore: The command ended before it was done\.\n$/],
])(
  '%s exits with the right code and message without a reader, disk space or input',
  async (command, output, code, errors) => {
    await (command === 'inventory check' && stage.put({ petId: { N: '5' } }));
    const args = [bin, ...command.split(' '), '--local'];
    const child = spawn(process.execPath, args, {
      env: withoutInput,
      stdio: ['ignore', output, 'pipe'],
    });
    child.stdout?.destroy();
    expect(await ended(child)).toMatchObject({ code, errors: expect.stringMatching(errors) });
  },
);

const log = join(temporaryDirectory, 'log');
test.each([
  ['| cat', ''],
  [`>> ${log}; cat ${log}`, 'earlier\n'],
])(
  'inventory export writes to the pipe or file that is open as --out: %s',
  async (open, before) => {
    writeFileSync(log, 'earlier\n');
    const line = `"${process.execPath}" "${bin}" inventory export --local --out /dev/fd/1 ${open}`;
    const output = `${before}petId,quantity,status\n0 written to /dev/fd/1.\n`;
    expect(await ended(spawn('sh', ['-c', line], { env }))).toMatchObject({ output });
  },
);

const fifo = join(temporaryDirectory, 'fifo');
execFileSync('mkfifo', [fifo]);

test.each(['keys find', `inventory import ${fifo}`])('one Ctrl-C ends %s', async (command) => {
  const child = spawnOps([...command.split(' '), '--local'], { input: null });
  await once(child.stderr as Readable, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
});

test('one Ctrl-C ends an export that waits for a reader of its FIFO', async () => {
  const entry = { petId: { N: '1' }, quantity: { N: '1' }, status: { S: 'sold' } };
  await stage.put(entry);
  const child = spawnOps(['inventory', 'export', '--local', '--out', fifo]);
  const closed = once(child, 'close');
  await prompted(child.stderr as Readable, /Read /);
  child.kill('SIGINT');
  expect(await closed).toEqual([null, 'SIGINT']);
});

test('a second Ctrl-C ends an import that waits for DynamoDB', async () => {
  const { promise: waits, resolve: writes } = Promise.withResolvers<void>();
  let attempts = 0;
  stage.react = ({ operation, forward }) => {
    if (operation !== 'PutItem') {
      return forward();
    }
    attempts += 1;
    writes();
    return new Promise(() => {});
  };
  const input = 'petId,quantity,status\n1,1,sold\n';
  const child = spawnOps(['inventory', 'import', '-', '--local'], { input });
  const closed = once(child, 'close');
  await waits;
  child.kill('SIGINT');
  // Two signals at once may count as one.
  const again = setInterval(() => child.kill('SIGINT'), 200);
  expect(await closed).toEqual([null, 'SIGINT']);
  clearInterval(again);
  // The command did not wait for the response, after which it would have tried again.
  expect(attempts).toBe(1);
});

test('keys find reads a key without showing it, and uses colors, on a terminal', async () => {
  const command = [process.execPath, bin, 'keys', 'find', '--local'];
  const child = onTerminal(command, { env: { ...env, TERM: 'xterm' } });
  prompted(child.stdout, /API key \(not shown\): $/).then(() =>
    child.stdin.write(`${createApiKey('prod')}\r`),
  );
  const message = '\u001b[31mpetstore:\u001b[39m This is a key of prod, not of staging.';
  const ending = await ended(child);
  expect(ending).toMatchObject({ code: 5, output: expect.stringContaining(message) });
  expect(ending.output).not.toMatch(/petstore_[a-z]|[0-9a-f]{17}/);
});
