import { expect, test } from '@jest/globals';
import { respondWithError, startDynamodb } from '../support/dynamodb/dynamodb.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { contextWith, errorResult, patchEvent } from '../support/functions/functions.ts';
import { errors } from '../support/http/rejections.ts';

const dynamodb = await startDynamodb();
const { handler } = await import('../../functions/update-inventory.ts');

const log = captureLog();

const update = (milliseconds: number) =>
  handler(patchEvent('1', '{"quantity":7}'), contextWith(milliseconds));

test('an update that runs out of time logs why its last attempt has failed', async () => {
  dynamodb.script(respondWithError(400, 'ThrottlingException'), () => {});
  // Two seconds remain: enough for the first attempt, and no more than the second one waits.
  expect(await update(3_000)).toEqual(errorResult(...errors.timeout));
  expect(log).toEqual([
    expect.objectContaining({
      status: 504,
      cause: expect.objectContaining({ errorType: 'ThrottlingException' }),
    }),
  ]);
});

test('an update whose only attempt is never answered has no such cause', async () => {
  dynamodb.script(() => {});
  await update(1_300);
  expect(log).toEqual([expect.objectContaining({ status: 504 })]);
  expect(log[0]).not.toHaveProperty('cause');
});
