import { expect, jest, test } from '@jest/globals';

test.each([
  { variable: '30', timeout: 30_000, attempts: 3 },
  { variable: '60', timeout: 60_000, attempts: 4 },
  { variable: '300', timeout: 300_000, attempts: 8 },
])('with $variable s for a list, a page gets $attempts attempts', async (row) => {
  jest.replaceProperty(process, 'env', { LIST_TIMEOUT_SECONDS: row.variable });
  jest.resetModules();
  const { listTimeout, pageAttempts } = await import(
    '../../../functions/inventory/list-timeout.ts'
  );
  jest.restoreAllMocks();
  expect([listTimeout, pageAttempts]).toStrictEqual([row.timeout, row.attempts]);
});
