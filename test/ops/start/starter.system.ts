// A local run ends when npm, which has started it, has ended, by whichever signal.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import manifest from '../../../package.json' with { type: 'json' };
import { atEnd } from '../../support/process/at-end.ts';
import { project } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

/** Prints its id, and ends a minute later, or when a local run would. */
const program = `
  import { once } from 'node:events';
  import { interruption } from ${JSON.stringify(join(project, 'ops/start/interruption.ts'))};
  once(interruption(process), 'abort').then(() => process.exit());
  setTimeout(() => {}, 60_000);
  console.log('process ' + process.pid + '.');`;

/** A package with the script of this one, whose program is the one above. */
const directory = mkdtempSync(join(tmpdir(), 'petstore-starter-'));
atEnd(() => rmSync(directory, { recursive: true, force: true }));
mkdirSync(join(directory, 'ops'));
const { start, dev } = manifest.scripts;
writeFileSync(
  join(directory, 'package.json'),
  JSON.stringify({ type: 'module', scripts: { start, dev } }),
);
writeFileSync(join(directory, 'ops/main.ts'), program);
cpSync(join(project, 'node-24.cjs'), join(directory, 'node-24.cjs'));

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

/** Starts the program by npm. Returns npm, and the program's id once it runs. */
const startByNpm = async (script: string) => {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const npm = spawn('npm', ['run', script], {
    cwd: directory,
    env: { ...process.env, PATH },
    detached: true,
  });
  let output = '';
  npm.stdout.on('data', (chunk) => (output += chunk));
  const [, id] = await until('the program', () => /process (\d+)\./.exec(output));
  atEnd(() => isRunning(Number(id)) && process.kill(Number(id), 'SIGKILL'));
  return { npm, id: Number(id) };
};

test('whichever signal ends npm alone ends what npm has started, and nothing else does', async () => {
  const started = await Promise.all([startByNpm('start'), startByNpm('dev')]);
  const [terminated, killed] = started;
  // Two looks at the parent, of which a program takes one each second.
  const deadline = Date.now() + 2_500;
  await until('two looks', () => Date.now() > deadline);
  expect(started.map(({ id }) => isRunning(id))).toStrictEqual([true, true]);
  terminated.npm.kill('SIGTERM');
  killed.npm.kill('SIGKILL');
  await until('the end of both', () => !isRunning(terminated.id) && !isRunning(killed.id));
});
