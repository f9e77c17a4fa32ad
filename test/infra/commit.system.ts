import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { commitOf } from '../../infra/commit.ts';

let checkout: string;

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: checkout,
    encoding: 'utf8',
  });

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
  git('init', '--quiet');
  writeFileSync(join(checkout, 'source.ts'), 'export {};');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
});

test('the commit of a checkout is its head', () => {
  expect(commitOf(checkout)).toBe(git('rev-parse', 'HEAD').trim());
});

test.each([
  { change: 'edited', file: 'source.ts' },
  { change: 'new', file: 'other.ts' },
])('a file that is $change makes it dirty', ({ file }) => {
  writeFileSync(join(checkout, file), 'export const changed = true;');
  expect(commitOf(checkout)).toBe(`${git('rev-parse', 'HEAD').trim()}-dirty`);
});

test('a directory that git does not manage has an unknown commit', () => {
  expect(commitOf(mkdtempSync(join(tmpdir(), 'no-checkout-')))).toBe('unknown');
});
