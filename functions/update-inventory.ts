import { httpHandler, jsonResponse } from './http/http-handler.ts';
import { jsonBody } from './http/json-body.ts';
import { readIfMatch } from './http/read-if-match.ts';
import { pathParameter, requestHeader } from './http/request-parts.ts';
import { writeAccess } from './http/write-access.ts';
import { etagOf } from './inventory/etag.ts';
import { parseInventoryUpdate, parsePetId } from './inventory/parse-update.ts';
import { updateItem } from './inventory/update-item.ts';

/** PATCH /inventory/{petId} */
export const handler = httpHandler('updateInventory')
  .use(writeAccess())
  .use(jsonBody())
  .handler(async (event, { record }, { signal: abortSignal }) => {
    const petId = parsePetId(pathParameter(event, 'petId'));
    const { quantity } = parseInventoryUpdate(event.body);
    record.fields.petId = String(petId);
    record.fields.ifMatch = requestHeader(event, 'if-match')?.slice(0, 100);
    const ifMatch = readIfMatch(event);
    const update = { petId, quantity, ifMatch };
    const { item, quantityBefore } = await updateItem(update, { abortSignal, record });
    record.fields.quantityFrom = quantityBefore;
    record.fields.quantityTo = quantity;
    record.counts = { Updates: 1 };
    return jsonResponse(200, item, { ETag: etagOf(item) });
  });
