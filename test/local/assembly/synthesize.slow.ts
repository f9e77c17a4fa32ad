import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { atEnd } from '../../support/process/at-end.ts';
import { project } from '../../support/process/tools.ts';

const program = `
  import { synthesize } from './local/assembly/synthesize.ts';
  process.stdout.write(await synthesize('staging'));
  process.stdin.once('end', () => process.exit()).resume();
`;

/**
 * Starts a process with this directory for temporary files, which synthesizes a stage. Waits until
 * it has, and returns the directory of the assembly.
 * @param first code that the process runs before that
 */
const start = async (temporary: string, first = '') => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', first + program], {
    cwd: project,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill('SIGKILL'));
  const [directory] = await once(child.stdout, 'data');
  return {
    directory: String(directory),
    end: async (): Promise<void> => {
      child.stdin.end();
      await once(child, 'close');
    },
  };
};

/** Makes a directory for temporary files in which processes have left directories of these names. */
const temporaryWith = (...names: string[]): string => {
  const temporary = mkdtempSync(join(tmpdir(), 'synthesize-'));
  for (const name of names) {
    mkdirSync(join(temporary, name, 'asset.1'), { recursive: true });
  }
  return temporary;
};

/** The id of no process: systems give smaller ones. */
const noProcess = 99_999_999;
const leftover = `petstore-inventory-${hostname()}-${noProcess}-Xy12aB`;

test('an assembly is removed when its process ends, or else when another one starts', async () => {
  const kept = [
    // This process is running.
    `petstore-inventory-${hostname()}-${process.pid}-Xy12aB`,
    // Containers that share the directory have other processes, and may have similar names.
    `petstore-inventory-${hostname()}-b-${noProcess}-Xy12aB`,
    `petstore-inventory-${hostname().slice(0, -1)}_-${noProcess}-Xy12aB`,
    `notes-${noProcess}-Xy12aB`,
  ];
  const temporary = temporaryWith(leftover, ...kept);
  const { directory, end } = await start(temporary);
  expect(readdirSync(temporary).sort()).toStrictEqual([...kept, basename(directory)].sort());
  expect(existsSync(join(directory, 'assembly-staging/manifest.json'))).toBe(true);
  // Other users can neither read nor change what the local run will load.
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  await end();
  expect(readdirSync(temporary).sort()).toStrictEqual(kept.sort());
});

test('what processes of another user have left stays', async () => {
  const temporary = temporaryWith(leftover);
  const { end } = await start(temporary, 'process.getuid = () => 4_294_967_294;');
  await end();
  expect(readdirSync(temporary)).toStrictEqual([leftover]);
});
