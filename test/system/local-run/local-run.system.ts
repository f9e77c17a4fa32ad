import { jest } from '@jest/globals';

const timers = await import('node:timers/promises');
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  // `revoke --now` waits ten seconds before it empties the cache once more.
  setTimeout: (milliseconds: number) => timers.setTimeout(Math.min(milliseconds, 100)),
}));

// A start takes longer than all that these do with a local run, so they share one.
await import('./abuse.ts');
await import('./check-prod.ts');
await import('./operators.ts');
