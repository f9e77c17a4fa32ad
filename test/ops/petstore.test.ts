import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { ended, localRun, temporaryDirectory } from '../support/local-run.ts';
import { spawnOps } from '../support/ops.ts';

const project = join(import.meta.dirname, '../..');

/** A checkout before npm ci: the bin alone. */
const bareCheckout = () => {
  const directory = mkdtempSync(join(temporaryDirectory, 'checkout-'));
  mkdirSync(join(directory, 'ops'));
  const { name, version, type, bin } = manifest;
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name, version, type, bin }));
  copyFileSync(join(project, 'ops/petstore.cjs'), join(directory, 'ops/petstore.cjs'));
  return directory;
};

const run = (file: string, args: string[], options = {}) =>
  promisify(execFile)(file, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

describe('the bin', () => {
  test('is what npx petstore runs in a checkout', async () => {
    const npx = await run('npx', ['--no', '--', 'petstore', '--version'], { cwd: join(project, 'functions') });
    expect(npx).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  test('says before npm ci what to do', async () => {
    expect(await run(process.execPath, [join(bareCheckout(), 'ops/petstore.cjs'), 'start'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'petstore: Run npm ci in this checkout first: it installs the packages that petstore needs.\n',
    });
  });

  test('says on an older Node what to do', async () => {
    const older = 'Object.defineProperty(process.versions, "node", { value: "22.14.0" })';
    const preload = `data:text/javascript,${encodeURIComponent(older)}`;
    expect(await run(process.execPath, ['--import', preload, join(project, 'ops/petstore.cjs'), 'start'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'petstore: Node 24 is needed, not 22.14.0: run it as npx petstore, or install Node 24.\n',
    });
  });

  describe('with a local run', () => {
    beforeAll(async () => {
      await localRun();
    });

    test('ends well if its reader leaves early', async () => {
      const child = spawnOps(['inventory', 'export', '--local']);
      (child.stdout as Readable).destroy();
      const [code] = await once(child, 'close');
      expect(code).toBe(0);
    });

    test('says that standard output is full', async () => {
      const full = openSync('/dev/full', 'w');
      const env = { ...process.env, TMPDIR: temporaryDirectory };
      const child = spawn(process.execPath, [join(project, 'ops/petstore.cjs'), 'keys', 'list', '--local'], {
        env,
        stdio: ['ignore', full, 'pipe'],
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
      const fifo = join(mkdtempSync(join(temporaryDirectory, 'fifo-')), 'pets.csv');
      execFileSync('mkfifo', [fifo]);
      const child = spawnOps(['inventory', 'export', '--local', '--out', fifo]);
      const closed = once(child, 'close');
      for await (const line of child.stderr as Readable) {
        if (/Read /.test(String(line))) {
          break;
        }
      }
      child.kill('SIGINT');
      const again = setInterval(() => child.kill('SIGINT'), 100);
      await closed;
      clearInterval(again);
      expect(child.signalCode).toBe('SIGKILL');
    });
  });

  test('is executable, as npm and a shell want it', () => {
    const listed = execFileSync('git', ['ls-files', '--stage', 'ops/petstore.cjs'], { cwd: project, encoding: 'utf8' });
    expect(listed).toMatch(/^100755 /);
  });
});
