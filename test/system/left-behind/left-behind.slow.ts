import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { atEnd } from '../../support/process/at-end.ts';
import { childProcesses } from '../../support/process/child-processes.ts';
import { project } from '../../support/process/tools.ts';

const startJest = (files: string) => {
  const options = ['--selectProjects', 'system', '--testMatch', `**/left-behind/${files}`];
  const child = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...options], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  atEnd(() => child.kill('SIGKILL'));
  return child;
};

/** Waits until a program prints a text that matches. Returns the matched part. */
const printed = async (output: Readable, pattern: RegExp): Promise<string> => {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const [, found] = pattern.exec(text) ?? [];
    if (found !== undefined) {
      return found;
    }
  }
  throw new Error(`The program has ended without a text that matches ${pattern}:\n${text}`);
};

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

test.each([
  { jest: 'Jest', files: 'local-run.fixture.ts' },
  { jest: 'Jest with workers', files: '*.fixture.ts' },
])('nothing that a test has started outlives $jest that is killed', async ({ files }) => {
  const child = startJest(files);
  const run = Number(await printed(child.stderr, /started (\d+)\./));
  const started = [run, ...childProcesses(run), ...childProcesses(child.pid)];
  atEnd(() => {
    for (const id of started.filter(isRunning)) {
      process.kill(id, 'SIGKILL');
    }
  });
  child.kill('SIGKILL');
  while (started.some(isRunning)) {
    await new Promise(setImmediate);
  }
  expect(started.length).toBeGreaterThan(2);
});
