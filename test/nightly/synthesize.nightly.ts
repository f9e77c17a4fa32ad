import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { atEnd } from '../support/process/at-end.ts';
import { project } from '../support/process/tools.ts';

const program = `
  import { synthesize } from './local/assembly/synthesize.ts';
  process.stdout.write(await synthesize('staging'));
  process.stdin.once('end', () => process.exit()).resume();
`;

test('an assembly is only its owner’s, and is removed when its process ends', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'synthesize-'));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: project,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill('SIGKILL'));
  const ends = once(child, 'exit').then(() =>
    Promise.reject(new Error('It printed no directory.')),
  );
  const [printed] = await Promise.race([once(child.stdout, 'data'), ends]);
  ends.catch(() => {});
  const directory = String(printed);
  expect(readdirSync(temporary)).toStrictEqual([basename(directory)]);
  expect(existsSync(join(directory, 'assembly-staging/manifest.json'))).toBe(true);
  // Other users can neither read nor change what the local run will load.
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  child.stdin.end();
  await once(child, 'close');
  expect(readdirSync(temporary)).toStrictEqual([]);
});
