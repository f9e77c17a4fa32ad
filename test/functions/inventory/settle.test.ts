import { expect, test } from '@jest/globals';
import type { Attempts } from '../../../functions/dynamodb/attempts.ts';
import {
  explore,
  type Limits,
  runRequest,
  type Updates,
  type World,
} from '../../support/settle/every-order.ts';

interface Row {
  world: Omit<World, 'first'>;
  /** Default: both, one after the other. */
  first?: World['first'];
  updates?: Updates;
  limits?: Partial<Limits>;
  responses?: string[];
}

const decided = ['200', 'precondition_failed'];
const decidedOrReused = ['200', 'idempotency_key_reused', 'precondition_failed'];

// settle.slow.ts has the largest of these with the usual limits.
const fewer = { moves: 1, requests: [1, 0] } as const;
const fewest = { moves: 1, requests: [0, 0] } as const;

const right: Row[] = [
  // What AWS documents is one of these, in which nobody is unsure for long.
  { world: { refused: 'forgotten', running: 'in progress' }, responses: decidedOrReused },
  { world: { refused: 'kept', running: 'in progress' }, responses: decided },
  { world: { refused: 'kept', running: 'compared' }, responses: decided },
  { world: { refused: 'kept', running: 'ignored' }, responses: decided },
  // There are very many ways in which two requests can meet each other's checks.
  { world: { refused: 'forgotten', running: 'compared' }, first: 'conflict', limits: fewer },
  { world: { refused: 'forgotten', running: 'compared' }, first: 'condition', limits: fewest },
  { world: { refused: 'forgotten', running: 'in progress' }, updates: 'different', limits: fewest },
  { world: { refused: 'kept', running: 'in progress' }, updates: 'different', limits: fewest },
];
const wrongs: Row[] = [
  { world: { refused: 'forgotten', running: 'ignored' } },
  { world: { refused: 'kept for its parameters', running: 'in progress' } },
  { world: { refused: 'kept for its parameters', running: 'compared' } },
  { world: { refused: 'kept for its parameters', running: 'ignored' } },
  // That is the client's mistake, too.
  { world: { refused: 'forgotten', running: 'compared' }, updates: 'different', limits: fewest },
];

const withFirst = (rows: Row[]) =>
  rows.flatMap(({ world, updates = 'same', first, ...row }) => {
    const orders = first ? [first] : (['conflict', 'condition'] as const);
    return orders.map((each) => ({ ...row, updates, ...world, first: each }));
  });

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

const late = ['false', 'mismatch', 'false', 'mismatch'];

test.each([
  { what: 'was applied late', answers: [...late, 'applied'], response: '200' },
  {
    what: 'is refused each time',
    answers: [...late, 'false', 'mismatch'],
    response: 'outcome_unknown',
  },
  {
    what: 'was refused before another took its token',
    answers: ['false', 'mismatch', 'mismatch', 'applied'],
    response: 'precondition_failed',
  },
  {
    what: 'is held up after another has taken its token',
    answers: ['false', 'mismatch', 'busy'],
    response: 'outcome_unknown',
  },
  {
    what: 'is held up, and was never refused',
    answers: ['busy'],
    response: 'busy',
  },
  {
    what: 'has a key that another has',
    answers: Array(6).fill('mismatch'),
    response: 'idempotency_key_reused',
  },
])('an update that $what gets the response $response', async ({ answers, response }) => {
  expect(await runRequest(answers, false)).toMatchObject({ response });
});

test('an update without a key that may be late is refused only with its token, also after asking', async () => {
  const answers = ['false!', 'mismatch', 'false', 'applied', 'false'];
  expect(await runRequest(answers, undefined, { hasKey: false })).toStrictEqual({
    command: 'check',
  });
});

// So the update may count as repeated, although an attempt of the check had no response.
test('what is not settled of a check says nothing of the update', async () => {
  const record: Attempts = {};
  const answers = ['false', 'mismatch!', 'applied'];
  expect(await runRequest(answers, false, { record })).toMatchObject({ response: '200' });
  expect(record.unsettledAttempt).toBeUndefined();
});

test('a key that another update has tells nothing of whether tokens of refusals are kept', async () => {
  expect(await runRequest(['mismatch', 'mismatch'])).toStrictEqual({ command: 'update' });
  const response = 'idempotency_key_reused';
  const keepsRefused = undefined;
  expect(await runRequest(['mismatch', 'applied'])).toStrictEqual({ response, keepsRefused });
});
