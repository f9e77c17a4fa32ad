import { attemptsOf, httpHandler, jsonResponse } from './http/http-handler.ts';
import { jsonBody, pathParameter } from './http/json-request.ts';
import { writeAccess } from './http/write-access.ts';
import { parseInventoryUpdate, parsePetId } from './inventory/parse-update.ts';
import { updateItem } from './inventory/update-item.ts';
import { attachLogFields } from './observability/request-log.ts';

/** PATCH /inventory/{petId} */
export const handler = httpHandler('updateInventory')
  .use(writeAccess())
  .use(jsonBody())
  .handler(async (event, context, { signal }) => {
    const petId = parsePetId(pathParameter(event, 'petId'));
    const { quantity } = parseInventoryUpdate(event.body);
    const options = { signal, attempts: attemptsOf(context) };
    const { item, quantityBefore } = await updateItem(petId, quantity, options);
    return attachLogFields(jsonResponse(200, item), {
      petId: String(petId),
      quantityFrom: quantityBefore,
      quantityTo: quantity,
      counts: { Updates: 1 },
    });
  });
