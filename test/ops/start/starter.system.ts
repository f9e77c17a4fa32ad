// A local run ends when whatever has started it has ended, by whichever signal.
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

/** Starts the program. Returns what has started it, and the program's id once it runs. */
const startBy = async (command: string, ...words: string[]) => {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const starter = spawn(command, words, {
    cwd: directory,
    env: { ...process.env, PATH },
    detached: true,
  });
  let output = '';
  starter.stdout.on('data', (chunk) => (output += chunk));
  const [, id] = await until('the program', () => /process (\d+)\./.exec(output));
  atEnd(() => isRunning(Number(id)) && process.kill(Number(id), 'SIGKILL'));
  return { starter, id: Number(id) };
};

test('whichever signal ends npm or node-24.cjs ends the program, and nothing else does', async () => {
  const started = await Promise.all([
    startBy('npm', 'run', 'start'),
    startBy('npm', 'run', 'dev'),
    startBy('node', 'node-24.cjs', 'ops/main.ts'),
  ]);
  // Two looks at a parent, of which each process takes one each second.
  const deadline = Date.now() + 2_500;
  await until('two looks', () => Date.now() > deadline);
  expect(started.map(({ id }) => isRunning(id))).toStrictEqual([true, true, true]);
  const signals = ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const;
  for (const [index, { starter }] of started.entries()) {
    starter.kill(signals[index]);
  }
  await until('the end of all', () => !started.some(({ id }) => isRunning(id)));
});
