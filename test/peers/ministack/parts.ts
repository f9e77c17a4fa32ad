import { beforeAll, test } from '@jest/globals';

interface Part {
  name: string;
  take: () => Promise<void>;
}

const parts: Part[] = [];
/** The errors of the parts that were taken; undefined for those that passed. */
const taken = new Map<string, unknown>();

// Jest shuffles tests, but each part goes on where the one before it has ended.
beforeAll(async () => {
  for (const { name, take } of parts) {
    const error = await take().catch((reason: unknown) => reason ?? new Error('unknown'));
    taken.set(name, error);
    if (error !== undefined) {
      break;
    }
  }
}, 1_800_000);

/** Adds a part of a story. The parts are taken in the order in which a file has them. */
export const part = (name: string, take: () => Promise<void>): void => {
  parts.push({ name, take });
  test(name, () => {
    if (!taken.has(name)) {
      throw new Error(`Not reached: "${[...taken.keys()].at(-1)}" failed.`);
    }
    const error = taken.get(name);
    if (error !== undefined) {
      throw error;
    }
  });
};
