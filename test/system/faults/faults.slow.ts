import { setTimeout as sleep } from 'node:timers/promises';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { type FaultyRun, faultyRun } from './faulty-run.ts';
import { type Kind, kinds, late, lateness } from './kinds.ts';
import { testOutage } from './outage.ts';
import { testRequests } from './requests.ts';

let run: FaultyRun;
beforeAll(async () => {
  run = await faultyRun();
});

testRequests('slow', () => run, [['ApiError', 'The request took too long. Try again later.']]);

// Enough for an instance to use up the retries that the SDK allows it.
testOutage(300, () => run);

test('an update that had no response, and is done late, is undone by the same request as before', async () => {
  const TableName = run.tables.inventory;
  const item = (quantity: number) => ({
    petId: { N: '999' },
    quantity: { N: String(quantity) },
    status: { S: 'sold' },
  });
  const stored = async () =>
    (await run.tables.client.send(new GetItemCommand({ TableName, Key: { petId: { N: '999' } } }))).Item;
  const headers = { 'Content-Type': 'application/json' };
  const patch = async (quantity: number) =>
    (await run.send({ method: 'PATCH', path: '/inventory/999', headers, body: `{"quantity":${quantity}}` })).status;
  await run.tables.client.send(new PutItemCommand({ TableName, Item: item(0) }));

  const { what } = kinds[late] as Kind;
  const end = run.inject({ on: 'UpdateItem', where: () => true, what, times: Number.POSITIVE_INFINITY });
  expect(await patch(1)).toBe(503);
  end();
  expect(await patch(2)).toBe(200);
  await sleep(lateness);
  // Most often the older one, which the engine has done after the newer.
  expect([item(1), item(2)]).toContainEqual(await stored());
  expect(await patch(2)).toBe(200);
  expect(await stored()).toEqual(item(2));
});
