import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { interrupt, spawnStart, startRun } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { project as checkout } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

const copied = [
  'cdk.json',
  'functions',
  'infra',
  'local',
  'node-24.cjs',
  'openapi.yaml',
  'ops',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];

/**
 * Copies what `petstore start` needs of the checkout, so that a test may change it. The packages
 * are links, but what is cached beside them is not shared.
 */
const projectCopy = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'petstore-project-'));
  atEnd(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of copied) {
    cpSync(join(checkout, name), join(copy, name), { recursive: true });
  }
  mkdirSync(join(copy, 'node_modules'));
  const packages = readdirSync(join(checkout, 'node_modules')).filter((name) => name !== '.cache');
  for (const name of packages) {
    symlinkSync(join(checkout, 'node_modules', name), join(copy, 'node_modules', name));
  }
  return copy;
};

const project = projectCopy();
const inProject = (path: string) => join(project, path);
const authorizer = 'functions/authorizer.ts';
const update = 'functions/update-inventory.ts';

/** Saves a file as editors do, who replace it by another. */
const save = (path: string, text: string, time = new Date()): void => {
  writeFileSync(inProject('saved'), text);
  utimesSync(inProject('saved'), time, time);
  renameSync(inProject('saved'), inProject(path));
};

/** Saves a handler of updates that responds with these words. */
const saveHandler = (words: string, time?: Date): void => {
  const body = `export const handler = async () => ({ statusCode: 200, body: '"${words}"' });\n`;
  save(update, body, time);
};

const run = await startRun(['--watch'], { directory: project });
// The words are none of the responses in openapi.yaml.
const patch = (apiKey: string) => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return sendRaw(run.baseUrl, { method: 'PATCH', path: '/inventory/1', headers });
};
const words = async () => (await patch(run.apiKey)).body;

let told = '';
run.process.stderr?.on('data', (text) => (told += text));

/** Returns what start tells while something is done, until it has told this. */
const toldBy = async (action: () => unknown, end: string): Promise<string> => {
  told = '';
  action();
  await until(end, () => told.endsWith(end));
  return told;
};

const served = 'Now serving your changes in functions/.\n';

/** Saves a handler that responds with these words, and waits until it does. */
const serve = async (said: string): Promise<void> => {
  expect(await toldBy(() => saveHandler(said), served)).toBe(served);
  expect(await words()).toBe(said);
};

test('of changes that do not all compile none is served, and the file is named', async () => {
  await serve('before the mistake');
  const original = readFileSync(inProject(authorizer), 'utf8');
  const goesOn = 'Still serving the code from before this change.\n';
  // The authorizer is bundled first, and compiles; with it, all requests would fail.
  const mistake = () => {
    save(authorizer, 'export const handler = async () => ({});\n');
    save(update, 'export const const handler = 1;\n');
  };
  expect(await toldBy(mistake, goesOn)).toBe(
    'Build failed with 1 error:\n' +
      'functions/update-inventory.ts:1:13: ERROR: Expected identifier but found "const"\n' +
      goesOn,
  );
  expect(await words()).toBe('before the mistake');
  // Several at once, so that instances are started.
  const strangers = Array.from({ length: 5 }, () => patch(createApiKey('staging')));
  const statuses = (await Promise.all(strangers)).map(({ status }) => status);
  expect(new Set(statuses)).toStrictEqual(new Set([401]));
  const correction = () => {
    save(authorizer, original);
    saveHandler('after the mistake');
  };
  expect(await toldBy(correction, served)).toBe(served);
  expect(await words()).toBe('after the mistake');
});

test('a folder that is away for a moment ends nothing, and nothing is told of it', async () => {
  await serve('before it was away');
  told = '';
  renameSync(inProject('functions'), inProject('elsewhere'));
  const back = performance.now() + 1_000;
  await until('a second, which is several looks', () => performance.now() > back);
  renameSync(inProject('elsewhere'), inProject('functions'));
  expect([await words(), told]).toStrictEqual(['before it was away', '']);
  await serve('after it was away');
});

test('a file that is put back with an older time is served', async () => {
  await serve('the newer file');
  const restore = () => saveHandler('the older file', new Date('2020-01-01'));
  expect(await toldBy(restore, served)).toBe(served);
  expect(await words()).toBe('the older file');
});

test('a change while the service starts is served', async () => {
  const child = spawnStart(['--port', '0', '--watch'], { directory: project });
  let errors = '';
  child.stderr?.on('data', (text) => (errors += text));
  await until('the synthesis', () => errors !== '');
  saveHandler('of another run');
  await until(served, () => errors.endsWith(served));
  await interrupt(child);
});

test('a change of the infrastructure is told', async () => {
  const path = 'infra/settings/stages.ts';
  const text = readFileSync(inProject(path), 'utf8');
  const restart = 'infra/ has changed. Restart to serve the change.\n';
  await toldBy(() => save(path, `${text}\n`), restart);
});
