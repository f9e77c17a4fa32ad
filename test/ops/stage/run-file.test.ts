import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { localStage } from '../../../ops/stage/local-stage.ts';
import { privateDirectory } from '../../../ops/stage/private-directory.ts';
import { type RunDescription, readRunFiles, writeRunFile } from '../../../ops/stage/run-file.ts';

const newDirectory = () => mkdtempSync(join(tmpdir(), 'run-file-'));

const description = { pid: 1, baseUrl: 'http://127.0.0.1:1/staging/v1' } as RunDescription;

test('a run file replaces links of the same name, and leaves alone what they lead to', () => {
  const TMPDIR = newDirectory();
  const victim = join(newDirectory(), 'victim');
  writeFileSync(victim, 'untouched');
  for (const name of ['1.json.new', '1.json']) {
    symlinkSync(victim, join(privateDirectory(TMPDIR, 'runs'), name));
  }
  writeRunFile(description, { TMPDIR });
  expect(readRunFiles({ TMPDIR })).toEqual([description]);
  expect(readFileSync(victim, 'utf8')).toBe('untouched');
});

test('files that are missing or describe no run are skipped', () => {
  const TMPDIR = newDirectory();
  writeRunFile(description, { TMPDIR });
  symlinkSync('nowhere', join(privateDirectory(TMPDIR, 'runs'), '2.json'));
  writeFileSync(join(privateDirectory(TMPDIR, 'runs'), '3.json'), 'half of {');
  writeFileSync(join(privateDirectory(TMPDIR, 'runs'), '4.json'), '{}');
  expect(readRunFiles({ TMPDIR })).toEqual([description]);
});

test('a run that was killed is not found, and its file is removed', async () => {
  const TMPDIR = newDirectory();
  // No process has so large an id.
  writeRunFile({ ...description, pid: 2 ** 30 }, { TMPDIR });
  await expect(localStage(undefined, { TMPDIR })).rejects.toThrow('There is no local run.');
  expect(readRunFiles({ TMPDIR })).toEqual([]);
});

test('a directory of run files behind a link is not read', () => {
  const TMPDIR = newDirectory();
  const theirs = newDirectory();
  writeRunFile(description, { TMPDIR });
  const link = join(theirs, `petstore-inventory-runs-${process.getuid?.()}`);
  symlinkSync(privateDirectory(TMPDIR, 'runs'), link);
  expect(readRunFiles({ TMPDIR: theirs })).toEqual([]);
});
