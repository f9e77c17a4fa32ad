import { expect, test } from '@jest/globals';
import {
  explore,
  type Limits,
  runRequest,
  type Updates,
  type World,
} from '../../support/settle/every-order.ts';

interface Row {
  world: Omit<World, 'first'>;
  updates?: Updates;
  limits?: Partial<Limits>;
  responses?: string[];
}

const decided = ['200', 'precondition_failed'];
const decidedOrReused = ['200', 'idempotency_key_reused', 'precondition_failed'];

// settle.slow.ts has the largest of these without limits.
const fewer = { moves: 1, requests: 0 };

const right: Row[] = [
  // What AWS documents is one of these, in which nobody is unsure for long.
  { world: { refused: 'forgotten', running: 'in progress' }, responses: decidedOrReused },
  { world: { refused: 'kept', running: 'in progress' }, responses: decided },
  { world: { refused: 'kept', running: 'compared' }, responses: decided },
  { world: { refused: 'kept', running: 'ignored' }, responses: decided },
  // There are very many ways in which two requests can meet each other's checks.
  { world: { refused: 'forgotten', running: 'compared' }, limits: fewer },
  { world: { refused: 'forgotten', running: 'in progress' }, updates: 'different', limits: fewer },
  { world: { refused: 'kept', running: 'in progress' }, updates: 'different', limits: fewer },
];
const wrongs: Row[] = [
  { world: { refused: 'forgotten', running: 'ignored' } },
  { world: { refused: 'kept for its parameters', running: 'in progress' } },
  { world: { refused: 'kept for its parameters', running: 'compared' } },
  { world: { refused: 'kept for its parameters', running: 'ignored' } },
  // That is the client's mistake, too.
  { world: { refused: 'forgotten', running: 'compared' }, updates: 'different', limits: fewer },
];

const withFirst = (rows: Row[]) =>
  rows.flatMap(({ world, updates = 'same', ...row }) =>
    (['conflict', 'condition'] as const).map((first) => ({ ...row, updates, ...world, first })),
  );

test.each(withFirst(right))(
  'a refusal of the $updates update is final: tokens of refusals are $refused, running ones $running, $first first',
  ({ responses = expect.any(Array), limits = {}, updates, ...world }) => {
    expect(explore(world, { limits, updates })).toStrictEqual({ responses });
  },
);

test.each(withFirst(wrongs))(
  'a refusal of the $updates update may be wrong: tokens of refusals are $refused, running ones $running, $first first',
  ({ limits = {}, updates, responses: _, ...world }) => {
    expect(explore(world, { limits, updates })).toStrictEqual({ wrong: 'refused and applied' });
  },
);

test('whoever believed that tokens are kept, where they are not, would be wrong', () => {
  const world: World = { refused: 'forgotten', running: 'in progress', first: 'conflict' };
  expect(explore(world, { known: true })).toStrictEqual({ wrong: 'refused and applied' });
});

test('an update without a key that may be late is refused only with its token, also after asking', async () => {
  const asked = ['false!', 'mismatch', 'false', 'applied'];
  expect(await runRequest([...asked, 'false'], undefined, false)).toStrictEqual({
    command: 'check',
  });
});
