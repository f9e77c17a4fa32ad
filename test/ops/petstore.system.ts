import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, openSync } from 'node:fs';
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

const neverRead = preload(
  'process.stdin[Symbol.asyncIterator] = async function* () { await new Promise(() => {}) }',
);

test.each([
  {
    command: 'inventory export',
    trouble: 'no reader',
    output: 'pipe' as const,
    code: 0,
    errors: /^Stage: .*\n/,
  },
  {
    command: 'keys create --name x',
    trouble: 'no reader',
    output: 'pipe' as const,
    code: 1,
    errors: /: write EPIPE\.\nRevoke it: npx --no -- petstore keys revoke \w+ --local\n$/,
  },
  {
    command: 'keys list --json',
    trouble: 'a full disk',
    output: openSync('/dev/full', 'w'),
    code: 1,
    errors: /\n\{"error":\{"code":"unexpected",.* standard output: ENOSPC/,
  },
  {
    command: 'keys find',
    trouble: 'an input that never comes',
    output: 'pipe' as const,
    code: 1,
    errors: /\npetstore: The command ended before it was done\.\n$/,
  },
])('$command with $trouble exits with $code and says why', async (row) => {
  const child = spawn(process.execPath, [bin, ...row.command.split(' '), '--local'], {
    env: { ...env, NODE_OPTIONS: neverRead },
    stdio: ['ignore', row.output, 'pipe'],
  });
  child.stdout?.destroy();
  const { code, errors } = await ended(child);
  expect({ code, errors }).toEqual({ code: row.code, errors: expect.stringMatching(row.errors) });
});

test('without a home and a temporary directory, petstore says which variables to set', async () => {
  // As for a user without a passwd entry.
  const homeless = preload(`
    import os from 'node:os';
    import { syncBuiltinESMExports } from 'node:module';
    os.homedir = () => { throw new Error('ENOENT: no such file or directory, uv_os_homedir'); };
    syncBuiltinESMExports();`);
  const child = spawn(process.execPath, [bin, 'keys', 'list', '--local'], {
    env: { PATH: process.env.PATH, TMPDIR: '/nowhere', NODE_OPTIONS: homeless },
  });
  expect(await ended(child)).toEqual({
    code: 3,
    output: '',
    errors: expect.stringMatching(
      /^petstore: HOME is not set, and \/nowhere cannot be used instead: ENOENT.*\n.*write\.\n$/,
    ),
  });
});

test('one Ctrl-C ends a command that waits for its input', async () => {
  const child = spawnOps(['keys', 'find', '--local'], { input: null });
  await once(child.stderr as Readable, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
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
