// A colleague runs tests from a hook of git, or with `git rebase --exec`, and kills them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ended, project } from './support/process/tools.ts';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd,
    encoding: 'utf8',
  });

/** Makes a repository with a commit and a linked worktree. Returns the paths of both. */
const newRepository = (): { main: string; linked: string } => {
  const directory = mkdtempSync(join(tmpdir(), 'repository-'));
  const [main, linked] = [join(directory, 'main'), join(directory, 'linked')];
  git(directory, 'init', '--quiet', main);
  git(main, 'commit', '--quiet', '--allow-empty', '--message', 'of a colleague');
  git(main, 'worktree', 'add', '--quiet', linked);
  return { main, linked };
};

/** Returns all that a colleague would miss. */
const stateOf = ({ main, linked }: { main: string; linked: string }) => ({
  config: readFileSync(join(main, '.git/config'), 'utf8'),
  refs: git(main, 'for-each-ref'),
  worktrees: [main, linked].map((path) => git(path, 'status', '--branch', '--porcelain=v2')),
});

test('tests that make repositories change nothing in the one that git runs them for', async () => {
  const repository = newRepository();
  const before = stateOf(repository);
  const gitDirectory = join(repository.main, '.git/worktrees/linked');
  const jest = ['node-24.cjs', 'node_modules/jest/bin/jest.js', 'test/infra/commit.system.ts'];
  const run = spawn(process.execPath, jest, {
    cwd: project,
    env: {
      ...process.env,
      // As for a hook of the linked worktree.
      GIT_DIR: gitDirectory,
      GIT_WORK_TREE: repository.linked,
      GIT_INDEX_FILE: join(gitDirectory, 'index'),
      GIT_PREFIX: '',
    },
  });
  const { code, errors } = await ended(run);
  expect(stateOf(repository)).toStrictEqual(before);
  expect(errors).toMatch(/^Tests: .* passed/m);
  expect(code).toBe(0);
});

test('a program that tests have started ends with them, even if they are killed', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const program = `require('net').connect(${port}, '127.0.0.1')`;
  const starter = `
    import { spawnTied } from '${project}/test/support/process/tied.ts';
    spawnTied(process.execPath, '--eval', ${JSON.stringify(program)});
  `;
  const tests = spawn(process.execPath, ['--input-type=module', '--eval', starter]);
  const [connection] = (await once(server, 'connection')) as [Socket];
  const end = once(connection.resume(), 'close');
  tests.kill('SIGKILL');
  await end;
  server.close();
});
