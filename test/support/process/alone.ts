import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

/** Runs a task while no other test file, in any process, runs one of the same name. */
export const alone = async <Result>(name: string, task: () => Promise<Result>): Promise<Result> => {
  const lock = join(process.env.TEST_RUN_DIRECTORY ?? '', `${name}-lock`);
  // It returns undefined if the directory exists.
  await until(`the end of another "${name}"`, () => mkdirSync(lock, { recursive: true }), 600);
  try {
    return await task();
  } finally {
    rmdirSync(lock);
  }
};
