import { beforeAll, describe, expect, test } from '@jest/globals';
import { serviceAt } from '../../support/http/http-client.ts';
import { localRun } from '../../support/local/local-run.ts';
import { apiKey } from './api-key.ts';
import { fallbackRoutes } from './fallback-routes.ts';
import { type Checked, expectUntouched, findInventory, list } from './inventory.ts';
import { updateInventory } from './update-inventory.ts';

const { ACCEPTANCE_BASE_URL: baseUrl, ACCEPTANCE_API_KEY = '' } = process.env;

/**
 * The deployment that `petstore acceptance` was given. Without one, both stages, run on this
 * machine.
 */
const services =
  baseUrl === undefined
    ? ['staging', 'prod'].map((stage) => ({ name: stage, start: () => localRun('--stage', stage) }))
    : [{ name: baseUrl, start: async () => serviceAt(baseUrl, ACCEPTANCE_API_KEY) }];

// All checks are in one test file, so that no two of them run against a service at the same time.
describe.each(services)('$name', ({ start }) => {
  const service = {} as Checked;
  beforeAll(async () => {
    Object.assign(service, await findInventory(await start()));
  });

  // Every response is also checked against the schemas of openapi.yaml.
  describe('GET /inventory', () => {
    test('lists each petId once, as an int64', () => {
      const petIds = service.entries.map(({ petId }) => petId);
      expect(
        petIds.filter((petId) => typeof petId !== 'bigint' || BigInt.asIntN(64, petId) !== petId),
      ).toEqual([]);
      expect(new Set(petIds).size).toBe(petIds.length);
    });

    test.each(['/inventory/', '/inventory?limit=1&petId=abc'])(
      'also lists the inventory at %s',
      async (path) => {
        const entries = await list(service);
        const { status, body } = await service.send({ path });
        expect(status).toBe(200);
        // Other clients may have created entries in the meantime.
        expect((body as unknown[]).length).toBeGreaterThanOrEqual(entries.length);
      },
    );
  });

  updateInventory(service);
  apiKey(service);
  describe('where there is no operation, with or without a key', () => fallbackRoutes(service));

  test('no rejected request changes or creates an entry', () => expectUntouched(service));
});
