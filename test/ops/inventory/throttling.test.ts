import { expect, jest, test } from '@jest/globals';

/** The pauses of an import, in milliseconds, which take no time here. */
const pauses: unknown[] = [];

const timers = await import('node:timers/promises');
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  setTimeout: async (milliseconds: number) => pauses.push(milliseconds),
}));
const { csv, inventoryStage, onLocal } = await import('../../support/ops/inventory.ts');

const stage = inventoryStage();

/** Lets the table leave all keys unprocessed, so many times. */
const leaveUnprocessed = (times: number) => {
  pauses.length = 0;
  stage.react = async ({ operation, body, forward }) =>
    operation === 'BatchGetItem' && pauses.length < times
      ? { status: 200, body: { Responses: {}, UnprocessedKeys: body.RequestItems } }
      : forward();
};

test('a table that leaves keys unprocessed may answer at the eleventh time', async () => {
  leaveUnprocessed(10);
  expect((await stage.local(['import', '-'], { input: csv('1,7,sold') })).code).toBe(0);
});

test('a table that leaves keys unprocessed is asked ever more rarely, and then no more', async () => {
  leaveUnprocessed(Infinity);
  expect(await stage.local(['import', '-'], { input: csv('1,7,sold') })).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onLocal}Looked up 0 of 1\n` +
      'petstore: DynamoDB answers too few of the requests. Try again later.\n',
  });
  expect(pauses).toStrictEqual([50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600]);
});
