import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type RunDescription, readRunFiles, removeRunFile, writeRunFile } from '../../../ops/stage/run-file.ts';

const description = (pid: number) => ({ pid, stageName: 'staging' }) as RunDescription;

describe('run files', () => {
  let TMPDIR: string;
  let directory: string;
  beforeEach(() => {
    TMPDIR = mkdtempSync(join(tmpdir(), 'petstore-test-'));
    directory = join(TMPDIR, `petstore-inventory-runs-${process.getuid?.()}`);
  });

  test('are read as they were written, until they are removed', () => {
    writeRunFile(description(1), { TMPDIR });
    writeRunFile(description(2), { TMPDIR });
    expect(readRunFiles({ TMPDIR })).toEqual([description(1), description(2)]);
    removeRunFile(description(1), { TMPDIR });
    expect(readRunFiles({ TMPDIR })).toEqual([description(2)]);
  });

  test.each([
    ['take the place of what a process of the same number has left', (path: string) => writeFileSync(path, 'x')],
    ['do not follow a link in their place', (path: string) => symlinkSync(join(TMPDIR, 'victim'), path)],
  ])('%s', (_what, leave) => {
    const victim = join(TMPDIR, 'victim');
    writeFileSync(victim, 'untouched');
    mkdirSync(directory, { mode: 0o700 });
    leave(join(directory, '1.json.new'));
    leave(join(directory, '1.json'));
    writeRunFile(description(1), { TMPDIR });
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    expect(readRunFiles({ TMPDIR })).toEqual([description(1)]);
  });

  test.each([
    ['is a link', () => symlinkSync(mkdtempSync(join(TMPDIR, 'theirs-')), directory)],
    ['is a link to nothing', () => symlinkSync(join(TMPDIR, 'nothing'), directory)],
    ['is a file', () => writeFileSync(directory, '')],
    ['is open to others', () => [mkdirSync(directory), chmodSync(directory, 0o777)]],
  ])('are neither written to nor read from a directory that %s', (_what, make) => {
    make();
    writeRunFile(description(1), { TMPDIR });
    expect(readRunFiles({ TMPDIR })).toEqual([]);
    expect(readdirSync(TMPDIR, { recursive: true }).filter((name) => String(name).includes('runs-'))).toHaveLength(1);
  });
});
