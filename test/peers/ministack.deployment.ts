import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { alone } from '../support/process/alone.ts';
import { pythonPrograms } from '../support/process/installs.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('MiniStack ends with the process that started it, even one that was killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'account-'));
  const programs = await alone('ministack', () => pythonPrograms('test/peers/ministack'));
  const program = `
    import { startMinistack } from '${join(import.meta.dirname, 'ministack/ministack.ts')}';
    const [directory, python] = process.argv.slice(1);
    console.log((await startMinistack(directory, python)).server.pid);
    setInterval(() => {}, 1_000);`;
  const options = ['--input-type=module', '--eval', program, directory, join(programs, 'python')];
  const starter = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(starter.stdout), 'line');
  const pid = Number(line);
  expect(isRunning(pid)).toBe(true);
  expect(existsSync(join(directory, 'ministack'))).toBe(true);

  starter.kill('SIGKILL');
  while (isRunning(pid)) {
    await sleep(50);
  }
  expect(existsSync(join(directory, 'ministack'))).toBe(false);
});
