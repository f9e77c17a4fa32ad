import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { blocksOf, textOf } from '../support/docs/markdown.ts';
import { atEnd } from '../support/process/at-end.ts';
import { outputOf, project } from '../support/process/tools.ts';
import { until } from '../support/process/until.ts';

/** On a screen, curl shows no progress. It does when its output goes elsewhere. */
const asOnScreen = 'curl() { command curl --no-progress-meter "$@"; }';

/** Starts the service on a free port. Returns the port, and what stops it. */
const start = async () => {
  const child = spawn(process.execPath, ['ops/main.ts', 'start', '0'], { cwd: project });
  atEnd(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  await until('the service', () => child.exitCode !== null || /^curl .*\n/m.test(printed), 300);
  const [, port] = /^Base URL: http:\/\/127\.0\.0\.1:(\d+)/m.exec(printed) ?? [];
  const stop = async () => {
    child.kill('SIGINT');
    await once(child, 'close');
  };
  return { port, stop };
};

test("README's list has pet 1, and its update gets the response that README shows", async () => {
  const readme = textOf('README.md');
  const requests = blocksOf(readme, 'sh').filter((block) => block.includes('$PETSTORE_BASE_URL'));
  const { port, stop } = await start();
  const pasted = [asOnScreen, ...requests].join('\necho\n');
  const commands = pasted.replace('127.0.0.1:3000', `127.0.0.1:${port}`);
  const [list = '', update] = (await outputOf('sh', '-c', commands)).trim().split('\n');
  await stop();
  expect(JSON.parse(list)).toContainEqual({ petId: 1, quantity: 12, status: 'available' });
  expect([`${update}\n`]).toStrictEqual(blocksOf(readme, 'json'));
});
