import { describe, expect, test } from '@jest/globals';
import { captureLog } from '../support/functions/capture-log.ts';
import { rush } from '../support/rush/rush.ts';
import type { World } from '../support/rush/simulated-dynamodb.ts';

captureLog();

// inventory/settle.test.ts has all worlds that AWS may be, and more of what may happen.
const worlds: Pick<World, 'refused' | 'running' | 'first'>[] = [
  { refused: 'forgotten', running: 'in progress', first: 'conflict' },
  { refused: 'forgotten', running: 'in progress', first: 'condition' },
  { refused: 'forgotten', running: 'compared', first: 'conflict' },
  { refused: 'kept', running: 'in progress', first: 'conflict' },
  { refused: 'kept', running: 'compared', first: 'condition' },
];
const calm = { holds: 20, refusedHolds: false, faults: 0 };

describe.each(worlds)(
  'if tokens of refusals are $refused, running ones $running, $first first',
  (world) => {
    test('each of thirty sells one, and none gets a 5xx', async () => {
      const outcome = await rush({ ...world, ...calm, seed: 1, sellers: 30, untilSold: true });
      expect(outcome).toMatchObject({ failed: 0, unsure: 0, wrong: 0 });
      expect(outcome.requests).toBeGreaterThan(60);
    });

    test.each([0.1, 0.33])(
      'with a share of %d faults, none is wrong, or unsure for long',
      async (faults) => {
        const outcome = await rush({
          ...world,
          ...calm,
          faults,
          seed: 2,
          sellers: 10,
          untilSold: true,
        });
        expect(outcome).toMatchObject({ unsure: 0, wrong: 0 });
      },
    );
  },
);

test.each([
  { holds: 10, setters: 0 },
  { holds: 50, setters: 0 },
  { holds: 20, setters: 50 },
  // That is five seconds of work for one pet.
  { holds: 50, setters: 0, refusedHolds: true },
])('of a hundred that send at once, none gets a 5xx: %j', async ({ setters, ...world }) => {
  const outcome = await rush({
    refused: 'forgotten',
    running: 'in progress',
    first: 'conflict',
    ...calm,
    ...world,
    seed: 3,
    sellers: 100,
    setters,
    untilSold: false,
  });
  const requests = 100 + setters;
  expect(outcome).toMatchObject({ requests, failed: 0, unsure: 0, wrong: 0 });
});
