import { setTimeout as sleep } from 'node:timers/promises';
import { commitOf } from '../../infra/commit.ts';
import { sendRaw } from '../support/http/raw-request.ts';

/** A change of an API reaches all parts of API Gateway within some seconds. */
const longest = 60_000;

/**
 * Waits until three answers in a row are those of an API that was deployed from this commit. A local
 * run has one part, which knows no other.
 */
export const untilDeployed = async (baseUrl: string): Promise<void> => {
  if (baseUrl.startsWith('http:')) {
    return;
  }
  const commit = commitOf(process.cwd());
  const deadline = Date.now() + longest;
  for (let inARow = 0; inARow < 3; ) {
    // A path without an operation tells the commit.
    const { status, headers } = await sendRaw(baseUrl, { path: '' });
    const answer = headers['petstore-commit'] ?? `one whose ${status} names no commit`;
    inARow = answer === commit ? inARow + 1 : 0;
    if (Date.now() > deadline) {
      throw new Error(
        `${baseUrl} is ${answer}. These checks are those of ${commit}: see what runs.`,
      );
    }
    if (inARow === 0) {
      await sleep(1_000);
    }
  }
};
