import { expect, jest, test } from '@jest/globals';
import { attemptsWithin } from '../../../functions/shared/time-limits.ts';

test.each([
  { variable: '30', third: 10_000 },
  { variable: '60', third: 20_000 },
  { variable: '300', third: 100_000 },
])('with $variable s for a list, a page gets the attempts of $third ms', async (row) => {
  jest.replaceProperty(process, 'env', { LIST_TIMEOUT_SECONDS: row.variable });
  jest.resetModules();
  const { listTimeout, pageAttempts } = await import(
    '../../../functions/inventory/list-timeout.ts'
  );
  jest.restoreAllMocks();
  expect([listTimeout, pageAttempts]).toStrictEqual([3 * row.third, attemptsWithin(row.third)]);
});
