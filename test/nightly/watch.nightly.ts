// A saved change is served with --watch, and one that does not compile is not.
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { functionSpecs } from '../../infra/service/operations.ts';
import { checkOut } from '../deployment/ministack/checkout.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { startRun } from '../support/local/local-run.ts';
import { until } from '../support/process/until.ts';

const { directory: copy, write } = checkOut();
const run = await startRun(['--watch'], { directory: copy });
await until('the watch', () => count('watching for changes') === functionSpecs.length);

/** Returns how often start has told this. */
function count(text: string): number {
  return run.log().split(text).length - 1;
}

/** Saves the code of updates, and waits until start has told this once more. Returns what it told. */
const save = async (code: string, end: string): Promise<string> => {
  const [before, times] = [run.log().length, count(end)];
  // By a file that takes its place, as editors do: nobody sees half of it.
  write('saved.ts', code);
  renameSync(join(copy, 'saved.ts'), join(copy, 'functions/update-inventory.ts'));
  await until(end, () => count(end) > times);
  return run.log().slice(before);
};
const saying = (words: string): string =>
  `export const handler = async () => ({ statusCode: 200, body: '"${words}"' });\n`;

/** Returns what an update responds. It is none of the responses in openapi.yaml. */
const words = async () => {
  const headers = { Authorization: `Bearer ${run.apiKey}` };
  return (await sendRaw(run.baseUrl, { method: 'PATCH', path: '/inventory/1', headers })).body;
};

test('what is saved is served, unless it does not compile, which is told with its place', async () => {
  // What an editor keeps beside a file: a lock of Emacs leads to no file.
  symlinkSync('ann@pc.123', join(copy, 'functions/.#update-inventory.ts'));
  await save(saying('before the mistake'), 'build finished');
  expect(await words()).toBe('before the mistake');
  const told = await save('export const const handler = 1;\n', '[ERROR]');
  await until('the place', () => count('functions/update-inventory.ts:1:13:') === 1);
  expect(told).toContain('Expected identifier but found "const"');
  expect(await words()).toBe('before the mistake');
  await save(saying('after the mistake'), 'build finished');
  expect(await words()).toBe('after the mistake');
});
