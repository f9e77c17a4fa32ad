import { expect, test } from '@jest/globals';
import { type InventoryItem, items, send, testInStaging } from './service.ts';

const petIdsOf = (list: InventoryItem[]) => list.map(({ petId }) => petId);

test('GET /inventory lists each petId once, as an int64', () => {
  const petIds = petIdsOf(items);
  expect(petIds).toStrictEqual([...new Set(petIds)]);
  expect(petIds).toStrictEqual(petIds.map((petId) => BigInt.asIntN(64, petId)));
});

testInStaging.each([
  { path: '/inventory', headers: { 'Accept-Encoding': 'gzip' }, encoding: 'gzip' },
  { path: '/inventory/?limit=1&petId=abc', headers: {}, encoding: undefined },
])('GET $path with $headers lists the same pets', async ({ path, headers, encoding }) => {
  const response = await send({ path, headers });
  expect(response.status).toBe(200);
  expect(response.headers['content-encoding']).toBe(encoding);
  const petIds = petIdsOf(response.body as InventoryItem[]);
  expect(new Set(petIds)).toStrictEqual(new Set(petIdsOf(items)));
});
