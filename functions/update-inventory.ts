import { withHeaders } from './errors/api-error.ts';
import { writeAccess } from './http/guards.ts';
import { httpHandler, jsonResponse, lambdaFunction } from './http/http-handler.ts';
import { jsonBody } from './http/json-body.ts';
import { headerValue } from './http/request.ts';
import { etagOf, loggedIfMatch, readIfMatch } from './inventory/etag.ts';
import {
  loggedIdempotencyKey,
  readIdempotencyKey,
  repeatedKey,
} from './inventory/idempotency-key.ts';
import { parseInventoryUpdate, parsePetId } from './inventory/parse-update.ts';
import { updateItem } from './inventory/update-item.ts';

const chain = httpHandler('updateInventory').use(writeAccess()).use(jsonBody());

/** PATCH /inventory/{petId} */
export const handler = lambdaFunction(
  chain.handler(async (request, { record }, { signal: abortSignal }) => {
    const { headers, keyId } = request;
    const petId = parsePetId(request.petId);
    const { quantity } = parseInventoryUpdate(request.body);
    record.fields.petId = String(petId);
    Object.assign(record.fields, loggedIfMatch(headerValue(headers, 'if-match')));
    const ifMatch = readIfMatch(headers);
    const idempotencyKey = readIdempotencyKey(headers);
    Object.assign(record.fields, loggedIdempotencyKey(idempotencyKey));
    record.fields.quantityTo = quantity;
    const update = { petId, quantity, ifMatch, idempotencyKey, keyId };
    const shown = repeatedKey(idempotencyKey, ifMatch);
    const { item, quantityBefore } = await updateItem(update, { abortSignal, record }).catch(
      (error) => {
        throw withHeaders(error, shown);
      },
    );
    record.fields.quantityFrom = quantityBefore;
    return jsonResponse(200, item, { ETag: etagOf(item), ...shown });
  }),
);
