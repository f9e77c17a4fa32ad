import { afterAll } from '@jest/globals';

const ends: (() => unknown)[] = [];

afterAll(async () => {
  for (const end of ends.toReversed()) {
    await end();
  }
});

/** Does this when the tests of the file have ended, before what came to be earlier ends. */
export const atEnd = (end: () => unknown): void => void ends.push(end);
