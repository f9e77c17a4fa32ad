import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { commitOf } from '../../infra/commit.ts';

const gitIn =
  (cwd: string) =>
  (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      env: process.env,
      encoding: 'utf8',
    });

/** Makes a checkout with one commit of this message. */
const newCheckout = (message: string): string => {
  const directory = mkdtempSync(join(tmpdir(), 'checkout-'));
  const git = gitIn(directory);
  git('init', '--quiet');
  writeFileSync(join(directory, 'source.ts'), 'export {};');
  git('add', '.');
  git('commit', '--quiet', '--message', message);
  return directory;
};

const headOf = (directory: string): string => gitIn(directory)('rev-parse', 'HEAD').trim();

let checkout: string;
let head: string;
let warned: jest.Spied<typeof console.warn>;
beforeEach(() => {
  checkout = newCheckout('first');
  head = headOf(checkout);
  warned = jest.spyOn(console, 'warn').mockReturnValue();
});

/** Makes git believe that another user owns a checkout. */
const ofAnotherUser = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

test('the commit of a checkout is its head', () => {
  expect(commitOf(checkout)).toBe(head);
});

test.each([
  { change: 'edited', file: 'source.ts' },
  { change: 'new', file: 'other.ts' },
])('a file that is $change makes it dirty', ({ file }) => {
  writeFileSync(join(checkout, file), 'export const changed = true;');
  expect(commitOf(checkout)).toBe(`${head}-dirty`);
});

test('a repository for which a hook runs is not taken for that of the checkout', () => {
  const other = newCheckout('of another repository');
  const ofOther = {
    GIT_DIR: join(other, '.git'),
    GIT_COMMON_DIR: join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: join(other, '.git/index'),
    GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
    GIT_PREFIX: 'infra/',
  };
  Object.assign(process.env, ofOther);
  expect(headOf(checkout)).not.toBe(head);
  expect(commitOf(checkout)).toBe(head);
});

test.each(['', 'services/petstore'])(
  'of "%s" in a checkout that git refuses, git’s own words warn',
  (folder) => {
    mkdirSync(join(checkout, folder), { recursive: true });
    Object.assign(process.env, ofAnotherUser);
    expect(commitOf(join(checkout, folder))).toBe('unknown');
    expect(warned.mock.calls).toStrictEqual([
      [
        expect.stringMatching(
          /^petstore: .* "unknown", because git failed:\n(?=.*safe\.directory).*\S$/s,
        ),
      ],
    ]);
  },
);

test('a checkout that is declared safe by the environment has its commit', () => {
  Object.assign(process.env, {
    ...ofAnotherUser,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: checkout,
  });
  expect([commitOf(checkout), warned.mock.calls]).toStrictEqual([head, []]);
});

test('a repository that lacks a commit, or a machine that lacks git, is warned of', () => {
  gitIn(checkout)('update-ref', '-d', 'HEAD');
  expect(commitOf(checkout)).toBe('unknown');
  process.env.PATH = checkout;
  expect(commitOf(checkout)).toBe('unknown');
  expect(warned).toHaveBeenCalledTimes(2);
});

test('a directory that git does not manage has an unknown commit, of which nobody is warned', () => {
  const directory = mkdtempSync(join(tmpdir(), 'no-checkout-'));
  expect([commitOf(directory), warned.mock.calls]).toStrictEqual(['unknown', []]);
});
