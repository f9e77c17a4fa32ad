import { beforeAll, expect, test } from '@jest/globals';
import { type LocalRun, localRun } from '../support/local-run.ts';

let run: LocalRun;
beforeAll(async () => {
  run = await localRun();
});

/** The lines about the request that a response was for: the function's and the gateway's, as JSON. */
const linesAbout = async (requestId: unknown) => {
  const about = () =>
    run
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter((line) => line.requestId === requestId);
  for (let wait = 0; wait < 250 && about().length < 2; wait++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return about().toSorted((line) => ('level' in line ? -1 : 1));
};

test.each([
  ['updateInventory', { method: 'PATCH', path: '/inventory/1', body: '{"quantity":3}' }, { petId: '1', Updates: 1 }],
  ['listInventory', { method: 'GET', path: '/inventory' }, { Lists: 1, EntriesListed: 7 }],
])('a request has one line of its function and one of the gateway: %s', async (operation, message, fields) => {
  const { headers } = await run.send({ ...message, headers: { 'Content-Type': 'application/json' } });
  const requestId = headers['x-amzn-requestid'];
  const [ofFunction, ofGateway, ...others] = await linesAbout(requestId);

  expect(others).toEqual([]);
  expect(ofFunction).toMatchObject({ level: 'INFO', requestId, operation, status: 200, ...fields });
  expect(ofGateway).toMatchObject({ requestId, keyId: ofFunction.keyId, status: '200' });
  expect(ofGateway.path).toBe(`/staging/v1${message.path}`);
  expect(ofFunction.keyId).toMatch(/^\w{8,}$/);
});
