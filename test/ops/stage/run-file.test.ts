import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { privateDirectory } from '../../../infra/assembly/private-directory.ts';
import { type RunDescription, readRunFiles, writeRunFile } from '../../../ops/stage/run-file.ts';

test('writing a run file replaces a link, and reading skips missing and invalid files and a directory behind a link', () => {
  const [TMPDIR, theirs] = [
    mkdtempSync(join(tmpdir(), 'run-file-')),
    mkdtempSync(join(tmpdir(), 'run-file-')),
  ];
  const description = { pid: 1, baseUrl: 'http://127.0.0.1:1/staging/v1' } as RunDescription;
  const victim = join(theirs, 'victim');
  writeFileSync(victim, 'untouched');
  for (const name of ['1.json.new', '1.json']) {
    symlinkSync(victim, join(privateDirectory(TMPDIR, 'runs'), name));
  }
  writeRunFile(description, { TMPDIR });
  symlinkSync('nowhere', join(privateDirectory(TMPDIR, 'runs'), '2.json'));
  writeFileSync(join(privateDirectory(TMPDIR, 'runs'), '4.json'), '{}');
  expect(readRunFiles({ TMPDIR })).toEqual([description]);
  expect(readFileSync(victim, 'utf8')).toBe('untouched');

  symlinkSync(
    privateDirectory(TMPDIR, 'runs'),
    join(theirs, `petstore-inventory-runs-${process.getuid?.()}`),
  );
  expect(readRunFiles({ TMPDIR: theirs })).toEqual([]);
});
