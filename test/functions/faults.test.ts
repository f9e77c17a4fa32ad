// What becomes of an update that meets a fault of DynamoDB: each fault of the table, at the handler.
// dynamodb-client.test.ts walks the same table at the client.
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { takeSilence } from '../support/dynamodb/dynamodb.ts';
import { pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { type Fault, faults } from '../support/dynamodb/faults.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { internalError, unavailable } from '../support/functions/functions.ts';
import { takeMiddyTimer } from '../support/functions/middy-timer.ts';

/** What happens to the next calls, and to how many. */
let fault: Fault | undefined;
let times = 0;
let endSilence = () => {};

takeMiddyTimer();
captureLog();
const { put, stored, patch } = await inventoryTable(async (call) => {
  if (fault === undefined || times === 0) {
    return pass(call);
  }
  times -= 1;
  await fault.what(call);
  if (fault.silent) {
    endSilence();
  }
  return 'written';
});

beforeEach(() => {
  endSilence = takeSilence();
  // No wait is longer than it must be.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

/** Updates a pet from 7 to 4 while so many calls fail. Returns the response and the new quantity. */
const updateDuring = async (what: Fault, howOften: number, headers = {}) => {
  await put(7, { quantity: { N: '7' }, status: { S: 'available' } });
  [fault, times] = [what, howOften];
  const response = await patch('7', '{"quantity":4}', headers);
  fault = undefined;
  return { response, quantity: (await stored(7))?.quantity?.N };
};

const updated = {
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ETag: '"4-available"' },
  body: '{"petId":7,"quantity":4,"status":"available"}',
};

describe.each(Object.entries(faults))('%s', (_name, each) => {
  const unlessRejected = each.retried
    ? { response: updated, quantity: '4' }
    : { response: internalError, quantity: '7' };

  test('once: an update is applied, or a 500 that changes nothing', async () => {
    expect(await updateDuring(each, 1)).toStrictEqual(unlessRejected);
  });

  test('once, with a receipt: the same', async () => {
    const ifMatch = { 'If-Match': ['"7-available"'] };
    expect(await updateDuring(each, 1, ifMatch)).toStrictEqual(unlessRejected);
  });

  test('always: an error, and not the word of DynamoDB', async () => {
    const { response } = await updateDuring(each, Number.POSITIVE_INFINITY);
    expect(response).toStrictEqual(each.retried ? unavailable : internalError);
  });
});
