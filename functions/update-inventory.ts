import { answer } from './http/answer.ts';
import { httpHandler } from './http/http-handler.ts';
import { jsonBody } from './http/json-body.ts';
import { pathParameter } from './http/path-parameter.ts';
import { updateInventory } from './inventory/inventory-table.ts';
import { parseInventoryUpdate } from './inventory/inventory-update.ts';
import { parsePetId } from './inventory/pet-id.ts';

/** PATCH /inventory/{petId} */
export const handler = httpHandler()
  .use(jsonBody())
  .handler(async (event) => {
    const petId = parsePetId(pathParameter(event, 'petId'));
    const { quantity } = parseInventoryUpdate(event.body);
    return answer(200, await updateInventory(petId, quantity));
  });
