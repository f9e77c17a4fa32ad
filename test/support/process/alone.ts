import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs a task while no other test file, in any process, runs one of the same name. */
export const alone = async <Result>(name: string, task: () => Promise<Result>): Promise<Result> => {
  const lock = join(process.env.TEST_RUN_DIRECTORY ?? '', `${name}-lock`);
  // It returns undefined if the directory exists.
  while (mkdirSync(lock, { recursive: true }) === undefined) {
    await sleep(50);
  }
  try {
    return await task();
  } finally {
    rmdirSync(lock);
  }
};
