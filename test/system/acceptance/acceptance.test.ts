import { beforeAll, describe, expect, test } from '@jest/globals';
import { serviceAt } from '../../support/http-client.ts';
import { localRun } from '../../support/local-run.ts';
import { apiKey } from './api-key.ts';
import { fallbackRoutes } from './fallback-routes.ts';
import { type Checked, expectUntouched, findInventory, list } from './inventory.ts';
import { updateInventory } from './update-inventory.ts';

const { ACCEPTANCE_BASE_URL: baseUrl, ACCEPTANCE_API_KEY = '' } = process.env;

/** The deployment that `petstore acceptance` names, or else both stages on this machine. */
const services =
  baseUrl === undefined
    ? ['staging', 'prod'].map((stage) => ({ name: stage, start: () => localRun('--stage', stage) }))
    : [{ name: baseUrl, start: async () => serviceAt(baseUrl, ACCEPTANCE_API_KEY) }];

// One file, so that no two checks of one service run at the same time.
describe.each(services)('$name', ({ start }) => {
  const service = {} as Checked;
  beforeAll(async () => {
    Object.assign(service, await findInventory(await start()));
  });

  // That every entry keeps the schema of openapi.yaml is checked with every response.
  describe('GET /inventory', () => {
    test('lists every entry once, all digits exact', () => {
      const petIds = service.entries.map(({ petId }) => petId);
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
  describe('what no operation serves', () => fallbackRoutes(service));

  test('nothing was changed or created by what was rejected', () => expectUntouched(service));
});
