// Every check of a service, in one file, so that no two of them run at the same time. Each response
// is also checked against openapi.yaml.
import { beforeAll, describe } from '@jest/globals';
import { authorization } from './authorization.ts';
import { conditionalUpdates } from './conditional-updates.ts';
import { fallbackRoutes } from './fallback-routes.ts';
import { serviceAt } from './http-client.ts';
import { type Checked, findInventory } from './inventory.ts';
import { listInventory } from './list-inventory.ts';
import { readOnlyKey } from './read-only-key.ts';
import { unchanged } from './unchanged.ts';
import { updateInventory } from './update-inventory.ts';

const { ACCEPTANCE_BASE_URL: baseUrl = '', ACCEPTANCE_API_KEY: apiKey = '' } = process.env;

const service = {
  ...serviceAt(baseUrl, apiKey, { retries: 3 }),
  readOnly: process.env.ACCEPTANCE_READ_ONLY === 'true',
  keyMayWrite: process.env.ACCEPTANCE_KEY_ACCESS === 'write',
} as Checked;

describe(baseUrl, () => {
  beforeAll(async () => {
    Object.assign(service, await findInventory(service));
  });

  listInventory(service);
  if (service.keyMayWrite) {
    updateInventory(service);
    conditionalUpdates(service);
  } else {
    readOnlyKey(service);
  }
  authorization(service);
  fallbackRoutes(service);
  unchanged(service);
});
