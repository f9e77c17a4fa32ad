// That a change in functions/ is served by a run with --watch, and one that does not compile is not.
import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sendRaw } from '../../support/http/raw-request.ts';
import { startRun } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { project } from '../../support/process/tools.ts';
import { trackedFiles } from '../../support/process/tracked-files.ts';
import { until } from '../../support/process/until.ts';

// A copy of the checkout, which a test may change.
const copy = mkdtempSync(join(tmpdir(), 'petstore-project-'));
atEnd(() => rmSync(copy, { recursive: true, force: true }));
for (const file of trackedFiles(/^(functions|infra|local|ops)\/|^[^/]+\.(cjs|json|yaml)$/)) {
  cpSync(join(project, file), join(copy, file));
}
symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
symlinkSync('itself.ts', join(copy, 'infra/service/itself.ts'));

const run = await startRun(['--watch'], { directory: copy });
let told = '';
run.process.stderr?.on('data', (text) => (told += text));

/** Saves the code of updates, and waits until start has told this. */
const save = async (code: string, end: string): Promise<string> => {
  told = '';
  // By a file that takes its place, as editors do: nobody sees half of it.
  writeFileSync(join(copy, 'saved.ts'), code);
  renameSync(join(copy, 'saved.ts'), join(copy, 'functions/update-inventory.ts'));
  await until(end, () => told.endsWith(end));
  return told;
};
const served = 'Now serving your changes in functions/.\n';
const saying = (words: string): string =>
  `export const handler = async () => ({ statusCode: 200, body: '"${words}"' });\n`;

/** Returns what an update responds. It is none of the responses in openapi.yaml. */
const words = async () => {
  const headers = { Authorization: `Bearer ${run.apiKey}` };
  return (await sendRaw(run.baseUrl, { method: 'PATCH', path: '/inventory/1', headers })).body;
};

test('what an editor keeps beside a file is no change, and hides none', async () => {
  told = '';
  // A lock of Emacs leads to no file; vim writes its copy again and again.
  symlinkSync('ann@pc.123', join(copy, 'functions/.#update-inventory.ts'));
  writeFileSync(join(copy, 'functions/.update-inventory.ts.swp'), 'x');
  symlinkSync('nowhere', join(copy, 'infra/service/nowhere.ts'));
  const infra = 'infra/ has changed. Restart to serve the change.\n';
  await until(infra, () => told.endsWith(infra));
  expect(told).toBe(infra);
  expect(await save(saying('beside a lock'), served)).toBe(served);
  expect(await words()).toBe('beside a lock');
});

test('what is saved is served, unless it does not compile, which is told with its place', async () => {
  expect(await save(saying('before the mistake'), served)).toBe(served);
  expect(await words()).toBe('before the mistake');
  const goesOn = 'Still serving the code from before this change.\n';
  expect(await save('export const const handler = 1;\n', goesOn)).toBe(
    'Build failed with 1 error:\n' +
      'functions/update-inventory.ts:1:13: ERROR: Expected identifier but found "const"\n' +
      goesOn,
  );
  expect(await words()).toBe('before the mistake');
  expect(await save(saying('after the mistake'), served)).toBe(served);
  expect(await words()).toBe('after the mistake');
});
