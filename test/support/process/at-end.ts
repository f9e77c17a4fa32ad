import { afterAll } from '@jest/globals';

const ends: (() => unknown)[] = [];

afterAll(async () => {
  for (const end of ends.toReversed()) {
    await end();
  }
});

/**
 * Registers a cleanup to run after the last test of the file. The cleanup registered last runs
 * first.
 */
export const atEnd = (end: () => unknown): void => void ends.push(end);
