import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { ended, localRun, temporaryDirectory } from '../support/local-run.ts';
import { spawnOps } from '../support/ops.ts';
import { project } from '../support/tools.ts';

const bin = join(project, 'ops/petstore.cjs');

test('npx petstore runs the bin of the checkout, from any folder in it', async () => {
  const npx = spawn('npx', ['--no', '--', 'petstore', '--version'], { cwd: join(project, 'functions') });
  expect(await ended(npx)).toEqual({ code: 0, output: `${manifest.version}\n`, errors: '' });
  // npm and a shell want it to be executable.
  expect(execFileSync('git', ['ls-files', '--stage', bin], { cwd: project, encoding: 'utf8' })).toMatch(/^100755 /);
});

const bareCheckout = join(temporaryDirectory, 'ops');
mkdirSync(bareCheckout);
copyFileSync(bin, join(bareCheckout, 'petstore.cjs'));
const older = encodeURIComponent('Object.defineProperty(process.versions, "node", { value: "22.14.0" })');

test.each([
  [
    'before npm ci',
    [join(bareCheckout, 'petstore.cjs')],
    'Run npm ci in this checkout first: it installs the packages that petstore needs.',
  ],
  [
    'on an older Node',
    ['--import', `data:text/javascript,${older}`, bin],
    'Node 24 is needed, not 22.14.0: run it as npx petstore, or install Node 24.',
  ],
])('says %s what to do', async (_when, args, message) => {
  const child = spawn(process.execPath, [...args, 'start']);
  expect(await ended(child)).toEqual({ code: 1, output: '', errors: `petstore: ${message}\n` });
});

describe('with a local run', () => {
  beforeAll(async () => {
    await localRun();
  });

  test('ends well if its reader leaves early', async () => {
    const child = spawnOps(['inventory', 'export', '--local']);
    (child.stdout as Readable).destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('says that standard output is full', async () => {
    const child = spawn(process.execPath, [bin, 'keys', 'list', '--local'], {
      env: { ...process.env, TMPDIR: temporaryDirectory },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    const { code, errors } = await ended(child);
    expect(code).toBe(1);
    expect(errors).toMatch(/\npetstore: standard output cannot be written: ENOSPC.*\n$/);
  });

  test('is ended by one Ctrl-C', async () => {
    const child = spawnOps(['keys', 'find', '--local'], { input: null });
    await once(child.stderr as Readable, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
  });

  test('is ended by a second Ctrl-C, though it waits for a reader of its FIFO', async () => {
    const fifo = join(temporaryDirectory, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const child = spawnOps(['inventory', 'export', '--local', '--out', fifo]);
    const closed = once(child, 'close');
    await new Promise<void>((resolve) => child.stderr?.on('data', (text) => /Read /.test(text) && resolve()));
    const again = setInterval(() => child.kill('SIGINT'), 100);
    expect(await closed).toEqual([null, 'SIGKILL']);
    clearInterval(again);
  });
});
