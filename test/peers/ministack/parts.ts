import { expect, test } from '@jest/globals';

let failed = 'none';

/** Adds a test that goes on where the one before it has ended, and fails at once if that failed. */
export const part = (name: string, take: () => Promise<void>): void =>
  test(name, async () => {
    expect(`failed before: ${failed}`).toBe('failed before: none');
    failed = name;
    await take();
    failed = 'none';
  });
