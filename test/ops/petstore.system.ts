import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { npxPetstore } from '../../ops/cli/command-line.ts';
import manifest from '../../package.json' with { type: 'json' };
import { serve } from '../support/http/serve.ts';
import { temporaryDirectory } from '../support/local/local-run.ts';
import { prompted, spawnOps } from '../support/ops/ops.ts';
import { tablesOfStage } from '../support/ops/ops-stage.ts';
import { preload } from '../support/process/preload.ts';
import { onTerminal } from '../support/process/terminal.ts';
import { ended, project } from '../support/process/tools.ts';
import { trackedFiles } from '../support/process/tracked-files.ts';

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

test('outside the checkout, a petstore command fetches no package of that name', async () => {
  const requested: string[] = [];
  const registry = await serve(({ url = '' }, response) => {
    requested.push(url);
    const dist = { tarball: `${registry}/petstore.tgz` };
    const versions = { '1.0.0': { name: 'petstore', version: '1.0.0', bin: 'x.js', dist } };
    const packument = { name: 'petstore', 'dist-tags': { latest: '1.0.0' }, versions };
    response.end(JSON.stringify(packument));
  });
  const [command = '', ...options] = npxPetstore.split(' ');
  const elsewhere = spawn(command, [...options, 'keys', 'list', '--local'], {
    cwd: mkdtempSync(join(temporaryDirectory, 'elsewhere-')),
    env: {
      ...process.env,
      npm_config_registry: registry,
      npm_config_cache: join(temporaryDirectory, 'npm'),
    },
  });
  const { code, output, errors } = await ended(elsewhere);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toContain('npx canceled due to missing packages');
  expect(requested.filter((url) => url.endsWith('.tgz'))).toEqual([]);
});

test('every petstore command in the code and the documents is spelled so', () => {
  const files = trackedFiles(/\.(md|ts|cjs|js|html|json|ya?ml|sh)$|^\.ci\/run$/);
  const spellings = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(npx|npm exec)\b[\w -]*? petstore\b/g)].map(
      ([spelling]) => `${file}: ${spelling}`,
    ),
  );
  expect(spellings.length).toBeGreaterThan(10);
  expect(spellings.filter((each) => !each.endsWith(`: ${npxPetstore}`))).toEqual([]);
});

test('petstore says that npm ci is needed first', async () => {
  for (const file of ['ops/petstore.cjs', 'node-24.cjs']) {
    cpSync(join(project, file), join(temporaryDirectory, file));
  }
  const child = spawn(process.execPath, [join(temporaryDirectory, 'ops/petstore.cjs'), 'start']);
  const advice = 'Run npm ci in this checkout first: it installs the packages that petstore needs.';
  expect(await ended(child)).toEqual({ code: 1, output: '', errors: `petstore: ${advice}\n` });
});

test('a command whose reader leaves early has no error', async () => {
  const child = spawn(process.execPath, [bin, 'inventory', 'export', '--local'], { env });
  child.stdout.destroy();
  const { code, errors } = await ended(child);
  expect({ code, errors }).toEqual({ code: 0, errors: expect.stringMatching(/^Stage: .*\n$/) });
});

test('a command that waits for nothing that can happen ends, and says so', async () => {
  const neverRead = preload(
    'process.stdin[Symbol.asyncIterator] = async function* () { await new Promise(() => {}) }',
  );
  const child = spawn(process.execPath, [bin, 'keys', 'find', '--local'], {
    env: { ...env, NODE_OPTIONS: neverRead },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, errors } = await ended(child);
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(/\npetstore: The command ended before it was done\.\n$/),
  });
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
