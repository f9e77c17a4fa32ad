import { beforeAll, describe, expect, test } from '@jest/globals';
import { apiKey } from './api-key.ts';
import { fallbackRoutes } from './fallback-routes.ts';
import { list } from './inventory.ts';
import { type Service, services } from './service.ts';
import { updateInventory } from './update-inventory.ts';

// One file, so that no two checks of one service run at the same time.
describe.each(services)('%s', (_name, start) => {
  const service = {} as Service;
  beforeAll(async () => {
    Object.assign(service, await start());
  });

  // That every entry keeps the schema of openapi.yaml is checked with every response.
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

  updateInventory(service);
  apiKey(service);
  fallbackRoutes(service);
});
