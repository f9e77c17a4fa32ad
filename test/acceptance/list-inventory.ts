import { describe, expect, test } from '@jest/globals';
import { repeated } from './repeated.ts';
import { type Checked, type InventoryItem, list } from './service.ts';

/** Defines the checks of GET /inventory. */
export const listInventory = (service: Checked): void =>
  describe('GET /inventory', () => {
    test('lists each petId once, as an int64', () => {
      const petIds = service.items().map(({ petId }) => petId);
      expect(
        petIds.filter((petId) => typeof petId !== 'bigint' || BigInt.asIntN(64, petId) !== petId),
      ).toStrictEqual([]);
      expect(new Set(petIds).size).toBe(petIds.length);
    });

    test('compresses the list for a client that accepts gzip', () => {
      service.items();
      expect(service.listHeaders['content-encoding']).toBe('gzip');
    });

    // A read-only run requests no list but one, because prod's may be large.
    if (!service.readOnly) {
      listsAtOtherUrls(service);
    }
  });

const listsAtOtherUrls = (service: Checked): void =>
  test.each(['/inventory', '/inventory/', '/inventory?limit=1&petId=abc'])(
    'lists the same entries at %s, uncompressed',
    repeated(async (path: string) => {
      const petIds = new Set(service.items().map(({ petId }) => petId));
      const { status, headers, body } = await service.send({ path });
      expect({ status, encoding: headers['content-encoding'] }).toStrictEqual({
        status: 200,
        encoding: undefined,
      });
      const there = new Set((body as InventoryItem[]).map(({ petId }) => petId));
      const missing = [...petIds.difference(there)];
      // Another client may have removed entries since the checks began.
      const lost = missing.length === 0 ? [] : (await list(service)).map(({ petId }) => petId);
      expect(missing.filter((petId) => lost.includes(petId))).toStrictEqual([]);
    }),
  );
