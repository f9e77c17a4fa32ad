import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { atEnd } from '../../support/process/at-end.ts';
import { project } from '../../support/process/tools.ts';

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'synthesize-'));
});

const program = `
  import { synthesize } from './infra/assembly/synthesize.ts';
  process.stdout.write(await synthesize('staging'));
  process.stdin.once('end', () => process.exit()).resume();
`;

/** Starts a process with an assembly, which runs `first` before. */
const start = async (first = '') => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', first + program], {
    cwd: project,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill('SIGKILL'));
  const [directory] = await once(child.stdout, 'data');
  const end = async (signal?: 'SIGKILL'): Promise<void> => {
    const ended = once(child, 'close');
    child.stdin.end();
    if (signal) {
      child.kill(signal);
    }
    await ended;
  };
  return { directory: String(directory), end };
};

test('each process has an assembly of its own; what a kill leaves, the next start removes', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  expect(one.directory).not.toBe(other.directory);
  const modes = [one, other].map(({ directory }) => statSync(directory).mode & 0o777);
  expect(modes).toStrictEqual([0o700, 0o700]);
  expect(existsSync(join(one.directory, 'assembly-staging/manifest.json'))).toBe(true);

  await one.end('SIGKILL');
  expect(existsSync(one.directory)).toBe(true);
  const next = await start();
  const left = [other, next].map(({ directory }) => basename(directory)).sort();
  expect(readdirSync(temporary).sort()).toStrictEqual(left);

  await Promise.all([other.end(), next.end()]);
  expect(readdirSync(temporary)).toStrictEqual([]);
});

/** The id of no process: systems give smaller ones. */
const noProcess = 99_999_999;

const nameOfLeftover = `petstore-inventory-${hostname()}-${noProcess}-Xy12aB`;

/** Makes directories such as processes leave. */
const leave = (...names: string[]): void => {
  for (const name of names) {
    mkdirSync(join(temporary, name, 'asset.1'), { recursive: true });
  }
};

test('only what a process of this machine has left is removed', async () => {
  const others = [
    `petstore-inventory-${hostname()}-${process.pid}-Xy12aB`,
    // Containers that share the directory have other processes, and may have similar names.
    `petstore-inventory-${hostname()}-b-${noProcess}-Xy12aB`,
    `petstore-inventory-${hostname()}2-${noProcess}-Xy12aB`,
    `notes-${noProcess}-Xy12aB`,
  ];
  leave(nameOfLeftover, ...others);
  const { end } = await start();
  await end();
  expect(readdirSync(temporary).sort()).toStrictEqual(others.sort());
});

test('what another user has left stays', async () => {
  leave(nameOfLeftover);
  const { end } = await start('process.getuid = () => 4_294_967_294;');
  await end();
  expect(readdirSync(temporary)).toStrictEqual([nameOfLeftover]);
});
