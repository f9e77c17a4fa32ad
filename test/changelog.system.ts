import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { atEnd } from './support/process/at-end.ts';
import { ended, project } from './support/process/tools.ts';

interface Commit {
  files: string[];
  message: string;
}

/**
 * Commits changes of files to a new repository. Returns what the check says of the last commit, or
 * of a merge of all but the first one, as GitHub makes one of a pull request.
 */
const checked = async (commits: Commit[], { merged = false } = {}) => {
  const cwd = mkdtempSync(join(tmpdir(), 'changelog-'));
  atEnd(() => rmSync(cwd, { recursive: true, force: true }));
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' },
    ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd, env });
  git('init', '--quiet');
  for (const { files, message } of commits) {
    for (const file of files) {
      mkdirSync(join(cwd, dirname(file)), { recursive: true });
      writeFileSync(join(cwd, file), message);
    }
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  }
  if (merged) {
    git('checkout', '--quiet', '-b', 'base', `HEAD~${commits.length - 1}`);
    git('merge', '--quiet', '--no-ff', '--message', 'Merge', '-');
  }
  const { code, errors } = await ended(spawn(join(project, '.ci/changelog'), [], { cwd, env }));
  return { code, errors };
};

const first = { files: ['CHANGELOG.md', 'openapi.yaml'], message: 'feat: first' };
const shown = ['openapi.yaml', 'test/infra/templates/prod.yaml', 'test/ops/keys/list.session'];

test.each(shown)('a change of %s alone lacks its line of the changelog', async (file) => {
  expect(await checked([first, { files: [file], message: 'feat: second' }])).toStrictEqual({
    code: 1,
    errors:
      `CHANGELOG.md says nothing of what these show:\n${file}\n` +
      'If clients and operators notice nothing, end the last commit\'s message with "Changelog: none".\n',
  });
});

test.each([
  { what: 'with its line', files: ['CHANGELOG.md', ...shown], message: 'feat: second' },
  { what: 'that nobody notices', files: shown, message: 'refactor: it\n\nChangelog: none' },
  { what: 'of nothing that shows', files: ['functions/a.ts'], message: 'feat: second' },
])('a change $what is accepted', async ({ files, message }) => {
  expect(await checked([first, { files, message }])).toStrictEqual({ code: 0, errors: '' });
});

test('of a pull request, each commit counts', async () => {
  const commits = [
    first,
    { files: ['openapi.yaml'], message: 'feat: second' },
    { files: ['functions/a.ts'], message: 'feat: third' },
  ];
  expect(await checked(commits, { merged: true })).toMatchObject({
    code: 1,
    errors: expect.stringContaining('\nopenapi.yaml\n'),
  });
  const withItsLine = [...commits, { files: ['CHANGELOG.md'], message: 'docs: fourth' }];
  expect(await checked(withItsLine, { merged: true })).toStrictEqual({ code: 0, errors: '' });
});

test('a clone without the commit before is no reason to pass', async () => {
  expect(await checked([first])).toMatchObject({ code: 128 });
});

test('what the check looks at exists', () => {
  expect(globSync('test/ops/**/*.session').length).toBeGreaterThan(5);
  expect(
    ['test/infra/templates', 'test/local/gateway/exchanges.txt'].filter(existsSync),
  ).toHaveLength(2);
});

test('a pull request is checked out with the commit before', () => {
  const { steps } = parse(readFileSync('.github/workflows/pull-request.yml', 'utf8')).jobs.check;
  expect(steps[0].with['fetch-depth']).toBe(2);
});
