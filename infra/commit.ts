import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the commit of a checkout, with `-dirty` at its end if a file has changed since, or
 * `unknown` without git. Warns in git's own words if git cannot read the repository, as in a
 * container whose user does not own the checkout.
 */
export const commitOf = (checkout: string): string => {
  try {
    const git = gitIn(checkout);
    const commit = git('rev-parse', 'HEAD').trim();
    return git('status', '--porcelain') === '' ? commit : `${commit}-dirty`;
  } catch (error) {
    if (hasRepository(checkout)) {
      const { stderr, message } = error as { stderr?: string; message: string };
      const reason = (stderr || message).trim();
      console.warn(
        `petstore: The stack's output Commit will be "unknown", because git failed:\n${reason}`,
      );
    }
    return 'unknown';
  }
};

/** Whether there is a repository in a directory or above it. */
const hasRepository = (directory: string): boolean =>
  existsSync(join(directory, '.git')) ||
  (dirname(directory) !== directory && hasRepository(dirname(directory)));

/** Returns a function that runs git in a directory, and returns what it prints. */
const gitIn = (cwd: string) => {
  const run = (args: string[], env: NodeJS.ProcessEnv): string =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  // A hook, and `git rebase --exec`, name the repository that they run for, which may be another
  // one. Settings are kept, because a container may declare its checkout safe by them.
  const env = { ...process.env };
  for (const name of run(['rev-parse', '--local-env-vars'], env).trim().split('\n')) {
    if (!name.startsWith('GIT_CONFIG')) {
      delete env[name];
    }
  }
  return (...args: string[]) => run(args, env);
};
