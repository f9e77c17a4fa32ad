import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { commitOf } from '../../infra/commit.ts';

const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8' }).trim();

let checkout: string;
let warned: jest.Spied<typeof console.warn>;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
  git(checkout, 'init', '--quiet');
  writeFileSync(join(checkout, 'source.ts'), 'export {};');
  git(checkout, 'add', '.');
  git(checkout, 'commit', '--quiet', '--message', 'first');
  warned = jest.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

test('the commit of a checkout is its head, whatever its tags, and dirty with a change or a new file', () => {
  git(checkout, 'tag', '--annotate', '--message', 'a release', 'v1.0.0');
  const head = git(checkout, 'rev-parse', 'HEAD');
  expect(commitOf(checkout)).toBe(head);
  writeFileSync(join(checkout, 'new.ts'), 'export {};');
  expect(commitOf(checkout)).toBe(`${head}-dirty`);
  rmSync(join(checkout, 'new.ts'));
  writeFileSync(join(checkout, 'source.ts'), 'export const changed = true;');
  expect(commitOf(checkout)).toBe(`${head}-dirty`);
  expect(warned.mock.calls).toStrictEqual([]);
});

test.each([
  { what: 'there is no checkout', PATH: process.env.PATH, why: 'Command failed: .*\nfatal:' },
  { what: 'git is not installed', PATH: '', why: 'spawnSync git ENOENT$' },
])('where $what, the commit is unknown, and a warning says why', ({ PATH, why }) => {
  jest.replaceProperty(process.env, 'PATH', PATH);
  expect(commitOf(mkdtempSync(join(tmpdir(), 'no-checkout-')))).toBe('unknown');
  const warning = `^petstore: The stack's output Commit will be "unknown". ${why}`;
  expect(warned.mock.calls).toStrictEqual([[expect.stringMatching(warning)]]);
});
