import { describe, expect, test } from '@jest/globals';
import { list } from './inventory.ts';
import type { Service } from './service.ts';

/** GET /inventory. That every entry keeps the schema of openapi.yaml is checked with every response. */
export const listInventory = (service: Service): void =>
  describe('GET /inventory', () => {
    test('lists every entry once, all digits exact', async () => {
      const petIds = (await list(service)).map(({ petId }) => petId);

      expect(petIds.filter((petId) => typeof petId !== 'bigint' || BigInt.asIntN(64, petId) !== petId)).toEqual([]);
      expect(new Set(petIds).size).toBe(petIds.length);
    });

    test.each(['/inventory/', '/inventory?limit=1&petId=abc'])('takes %s for the same', async (path) => {
      const entries = await list(service);
      const { status, body } = await service.send({ path });

      expect(status).toBe(200);
      // Others may have created entries meanwhile.
      expect((body as unknown[]).length).toBeGreaterThanOrEqual(entries.length);
    });
  });
