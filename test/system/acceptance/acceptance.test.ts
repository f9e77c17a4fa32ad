import { beforeAll, describe } from '@jest/globals';
import { apiKey } from './api-key.ts';
import { fallbackRoutes } from './fallback-routes.ts';
import { listInventory } from './list-inventory.ts';
import { type Service, services } from './service.ts';

import { updateInventory } from './update-inventory.ts';

// One file, so that no two checks of one service run at the same time.
describe.each(services)('%s', (_name, start) => {
  const service = {} as Service;
  beforeAll(async () => {
    Object.assign(service, await start());
  });

  listInventory(service);
  updateInventory(service);
  apiKey(service);
  fallbackRoutes(service);
});
