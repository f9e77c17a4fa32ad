import { answer } from './http/answer.ts';
import { httpHandler } from './http/http-handler.ts';
import { listInventory } from './inventory/inventory-table.ts';

/** GET /inventory */
export const handler = httpHandler().handler(async () => answer(200, await listInventory()));
