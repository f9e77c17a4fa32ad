import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type RunDescription, readRunFiles, writeRunFile } from '../../../ops/stage/run-file.ts';

const description = { pid: 1, stageName: 'staging' } as RunDescription;

test.each([
  ['takes the place of what a process of the same number has left', writeFileSync],
  ['does not follow a link in its place', (path: string, victim: string) => symlinkSync(victim, path)],
])('a run file %s', (_what, leave) => {
  const TMPDIR = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const directory = join(TMPDIR, `petstore-inventory-runs-${process.getuid?.()}`);
  const victim = join(TMPDIR, 'victim');
  writeFileSync(victim, 'untouched');
  mkdirSync(directory, { mode: 0o700 });
  leave(join(directory, '1.json.new'), victim);
  leave(join(directory, '1.json'), victim);
  writeRunFile(description, { TMPDIR });
  expect(readFileSync(victim, 'utf8')).toBe('untouched');
  expect(readRunFiles({ TMPDIR })).toEqual([description]);
});

test('no run file is in a directory that others can reach', () => {
  const TMPDIR = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const theirs = mkdtempSync(join(TMPDIR, 'theirs-'));
  writeFileSync(join(theirs, '1.json'), JSON.stringify(description));
  symlinkSync(theirs, join(TMPDIR, `petstore-inventory-runs-${process.getuid?.()}`));
  expect(readRunFiles({ TMPDIR })).toEqual([]);
});
