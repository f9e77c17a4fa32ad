import { execFileSync } from 'node:child_process';
import { env } from 'node:process';

/**
 * Returns the commit of a checkout, with `-dirty` at its end if a file of it has changed since, or is
 * new. If git cannot tell, it is `unknown`, and a warning says why.
 */
export const commitOf = (checkout: string): string => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: checkout,
      encoding: 'utf8',
      // So that an error has all that git says.
      stdio: 'pipe',
      // Somebody may be committing in the checkout meanwhile.
      env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
    }).trim();
  try {
    const head = git('rev-parse', 'HEAD');
    return git('status', '--porcelain') === '' ? head : `${head}-dirty`;
  } catch (error) {
    const { message } = error as Error;
    console.warn(`petstore: The stack's output Commit will be "unknown". ${message}`);
    return 'unknown';
  }
};
