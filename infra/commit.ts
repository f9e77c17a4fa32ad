import { execFileSync } from 'node:child_process';

/**
 * Returns the commit of a checkout, with `-dirty` at its end if a file has changed since, or
 * `unknown` without git.
 */
export const commitOf = (checkout: string): string => {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: checkout,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    const commit = git('rev-parse', 'HEAD').trim();
    return git('status', '--porcelain') === '' ? commit : `${commit}-dirty`;
  } catch {
    return 'unknown';
  }
};
