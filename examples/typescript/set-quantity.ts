// Sets the quantity of a pet in the inventory.
// Usage: node dist/set-quantity.js PET_ID QUANTITY [ETAG]
// With an ETag, such as '"7-available"', only if the entry has it.
import { randomUUID } from 'node:crypto';
import { stringify } from 'lossless-json';
import { check, checkSettings, findEntry, run, updateEntry } from './client.js';

run(async (args) => {
  check([2, 3].includes(args.length), 'Usage: node dist/set-quantity.js PET_ID QUANTITY [ETAG]');
  const [petId = '', quantity = '', etag] = args;
  checkSettings(petId, quantity);
  check(
    etag === undefined || /^"\d+-[a-z]+"$/.test(etag),
    `ETAG must be like "7-available", with its quotes, not ${etag}.`,
  );
  await findEntry(petId);
  // Without a condition, the same update may always be repeated.
  const condition =
    etag === undefined ? undefined : { 'If-Match': etag, 'Idempotency-Key': randomUUID() };
  console.log(stringify(await updateEntry(petId, { quantity: BigInt(quantity) }, condition)));
});
