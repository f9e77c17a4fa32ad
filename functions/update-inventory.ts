import { httpHandler } from './http/http-handler.ts';
import { jsonBody } from './http/json-body.ts';
import { jsonResponse } from './http/json-response.ts';
import { pathParameter } from './http/path-parameter.ts';
import { updateInventory } from './inventory/inventory-table.ts';
import { parseInventoryUpdate } from './inventory/inventory-update.ts';
import { parsePetId } from './inventory/pet-id.ts';
import { attachLogFields } from './observability/request-log.ts';

/** PATCH /inventory/{petId} */
export const handler = httpHandler('updateInventory')
  .use(jsonBody())
  .handler(async (event, _context, { signal }) => {
    const petId = parsePetId(pathParameter(event, 'petId'));
    const { quantity } = parseInventoryUpdate(event.body);
    const { before, after } = await updateInventory(petId, quantity, signal);
    return attachLogFields(jsonResponse(200, after), {
      petId: String(petId),
      quantityFrom: before.quantity,
      quantityTo: after.quantity,
      counts: { Updates: 1 },
    });
  });
