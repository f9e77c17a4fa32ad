import { writeAccess } from './http/guards.ts';
import { httpHandler, jsonResponse, lambdaFunction } from './http/http-handler.ts';
import { jsonBody } from './http/json-body.ts';
import { type ApiRequest, headerValue } from './http/request.ts';
import { etagOf, loggedIfMatch, readIfMatch } from './inventory/etag.ts';
import { loggedIdempotencyKey, readIdempotencyKey } from './inventory/idempotency-key.ts';
import { parseInventoryUpdate, parsePetId } from './inventory/parse-update.ts';
import type { ItemUpdate } from './inventory/update-if.ts';
import { updateItem } from './inventory/update-item.ts';
import type { RequestRecord } from './observability/request-log.ts';

const chain = httpHandler('updateInventory').use(writeAccess()).use(jsonBody());

/** PATCH /inventory/{petId} */
export const handler = lambdaFunction(
  chain.handler(async (request, { record }, { signal: abortSignal }) => {
    const update = readUpdate(request, record);
    const { item, quantityBefore } = await updateItem(update, { abortSignal, record });
    record.fields.quantityFrom = quantityBefore;
    return jsonResponse(200, item, { ETag: etagOf(item), ...record.headers });
  }),
);

/** Reads what a client asks for. Records each part of it, in case that another is invalid. */
const readUpdate = (request: ApiRequest, record: RequestRecord): ItemUpdate => {
  const { headers, keyId } = request;
  const idempotencyKey = readIdempotencyKey(headers);
  if (idempotencyKey !== undefined) {
    // So that the client sees that no proxy has dropped it.
    record.headers['Idempotency-Key'] = idempotencyKey;
  }
  Object.assign(record.fields, loggedIdempotencyKey(idempotencyKey));
  const petId = parsePetId(request.petId);
  const { quantity } = parseInventoryUpdate(request.body);
  record.fields.petId = String(petId);
  Object.assign(record.fields, loggedIfMatch(headerValue(headers, 'if-match')));
  const ifMatch = readIfMatch(headers);
  record.fields.quantityTo = quantity;
  return { petId, quantity, ifMatch, idempotencyKey, keyId };
};
