import { expect, test } from '@jest/globals';
import { explore } from '../../support/settle/every-order.ts';

// The worlds of settle.test.ts in which there are very many orders, with the usual limits.
test.each([
  { refused: 'forgotten', running: 'compared' },
  { refused: 'forgotten', running: 'in progress', updates: 'different' },
  { refused: 'kept', running: 'in progress', updates: 'different' },
  { refused: 'kept', running: 'compared', updates: 'different' },
  { refused: 'kept', running: 'ignored', updates: 'different' },
  // What AWS documents is one of these.
  { refused: 'forgotten', running: 'in progress', limits: { losses: 2 } },
  { refused: 'kept', running: 'in progress', limits: { losses: 2 } },
] as const)('a refusal is final in every order: %j', ({ refused, running, ...options }) => {
  for (const first of ['conflict', 'condition'] as const) {
    const responses = expect.any(Array);
    expect(explore({ refused, running, first }, options)).toStrictEqual({ responses });
  }
});
