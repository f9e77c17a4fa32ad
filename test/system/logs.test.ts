import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { localRun } from '../support/local-run.ts';

const run = await localRun();

test.each([
  ['updateInventory', { method: 'PATCH', path: '/inventory/1', body: '{"quantity":3}' }, { petId: '1', Updates: 1 }],
  ['listInventory', { method: 'GET', path: '/inventory' }, { Lists: 1, EntriesListed: 7 }],
])('a request has one line of its function and one of the gateway: %s', async (operation, message, fields) => {
  const { headers } = await run.send({ ...message, headers: { 'Content-Type': 'application/json' } });
  const requestId = headers['x-amzn-requestid'];
  /** The lines about the request that a response was for. */
  const lines = () =>
    (run.log().match(/^\{.*$/gm) ?? []).map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);
  while (lines().length < 2) {
    await sleep(20);
  }
  const keyId = expect.stringMatching(/^\w{8,}$/);
  const [ofFunction, ofGateway] = lines().toSorted((line) => ('level' in line ? -1 : 1));
  expect(lines()).toHaveLength(2);
  expect(ofFunction).toMatchObject({ level: 'INFO', requestId, operation, keyId, status: 200, ...fields });
  const path = `/staging/v1${message.path}`;
  expect(ofGateway).toMatchObject({ requestId, keyId: ofFunction.keyId, path, status: '200' });
});
