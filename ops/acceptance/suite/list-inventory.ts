import { describe, expect, test } from '@jest/globals';
import { type Checked, list } from './inventory.ts';
import type { InventoryItem } from './inventory-item.ts';
import { repeated } from './repeated.ts';

/** Defines the checks of GET /inventory. */
export const listInventory = (service: Checked): void =>
  describe('GET /inventory', () => {
    test('lists each petId once, as an int64', () => {
      const petIds = service.items.map(({ petId }) => petId);
      expect(
        petIds.filter((petId) => typeof petId !== 'bigint' || BigInt.asIntN(64, petId) !== petId),
      ).toEqual([]);
      expect(new Set(petIds).size).toBe(petIds.length);
    });

    // A read-only run requests no list but one, because prod's may be large.
    if (!service.readOnly) {
      listsAtOtherUrls(service);
    }
  });

const listsAtOtherUrls = (service: Checked): void =>
  test.each(['/inventory/', '/inventory?limit=1&petId=abc'])(
    'also lists the inventory at %s',
    repeated(async (path: string) => {
      const items = await list(service);
      const { status, body } = await service.send({ path });
      expect(status).toBe(200);
      // Other clients may have created entries in the meantime.
      expect((body as InventoryItem[]).length).toBeGreaterThanOrEqual(items.length);
    }),
  );
