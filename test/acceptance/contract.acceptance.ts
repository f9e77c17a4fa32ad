// Every check of a service, in one file, so that no two of them run at the same time. Each response
// is also checked against openapi.yaml.
import { env } from 'node:process';
import { describe } from '@jest/globals';
import { authorization } from './authorization.ts';
import { conditionalUpdates } from './conditional-updates.ts';
import { everyResponse } from './every-response.ts';
import { fallbackRoutes } from './fallback-routes.ts';
import { listInventory } from './list-inventory.ts';
import { readOnlyKey } from './read-only-key.ts';
import { checkedService } from './service.ts';
import { readSettings } from './settings.ts';
import { unchanged } from './unchanged.ts';
import { updateInventory } from './update-inventory.ts';

const service = await checkedService(readSettings(env));

describe(service.baseUrl, () => {
  listInventory(service);
  if (service.keyMayWrite) {
    updateInventory(service);
    conditionalUpdates(service);
  } else {
    readOnlyKey(service);
  }
  authorization(service);
  fallbackRoutes(service);
  everyResponse(service);
  unchanged(service);
});
