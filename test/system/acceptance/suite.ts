import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Service } from '../../support/http/http-client.ts';
import { apiKey } from './api-key.ts';
import { fallbackRoutes } from './fallback-routes.ts';
import { type Checked, expectUntouched, findInventory, list } from './inventory.ts';
import { repeated } from './repeated.ts';
import { updateInventory } from './update-inventory.ts';

interface SuiteProps {
  name: string;
  /** Whether to send only requests that change nothing, and one list, on a correct service. */
  readOnly: boolean;
  start: () => Promise<Service>;
}

/**
 * Defines every check of a service. All are in one test file, so that no two of them run against a
 * service at the same time.
 */
export const defineChecks = ({ name, readOnly, start }: SuiteProps): void =>
  describe(name, () => {
    const service = { readOnly } as Checked;
    beforeAll(async () => {
      Object.assign(service, await findInventory(await start(), readOnly));
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

      (readOnly ? test.skip : test).each(['/inventory/', '/inventory?limit=1&petId=abc'])(
        'also lists the inventory at %s',
        repeated(async (path: string) => {
          const entries = await list(service);
          const { status, body } = await service.send({ path });
          expect(status).toBe(200);
          // Other clients may have created entries in the meantime.
          expect((body as unknown[]).length).toBeGreaterThanOrEqual(entries.length);
        }),
      );
    });

    updateInventory(service);
    apiKey(service);
    describe('where there is no operation, with or without a key', () => fallbackRoutes(service));

    test(
      'no rejected request changes or creates an entry',
      repeated(() => expectUntouched(service)),
    );
  });
