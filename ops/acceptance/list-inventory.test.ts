import { describe, expect, test } from '@jest/globals';
import { type InventoryItem, isReadOnly, list, send } from './service.ts';

describe('GET /inventory', () => {
  test('lists each petId once, as an int64', async () => {
    const petIds = (await list()).map(({ petId }) => petId);
    expect(
      petIds.filter((petId) => typeof petId !== 'bigint' || BigInt.asIntN(64, petId) !== petId),
    ).toEqual([]);
    expect(new Set(petIds).size).toBe(petIds.length);
  });

  // A read-only run requests no list but one, because prod's may be large.
  (isReadOnly ? test.skip : test).each(['/inventory/', '/inventory?limit=1&petId=abc'])(
    'also lists the inventory at %s',
    async (path) => {
      const items = await list();
      const { status, body } = await send({ path });
      expect(status).toBe(200);
      // Other clients may have created entries in the meantime.
      expect((body as InventoryItem[]).length).toBeGreaterThanOrEqual(items.length);
    },
  );
});
