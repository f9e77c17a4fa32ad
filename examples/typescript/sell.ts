// Sells some of a pet: once, and never what others have sold or set meanwhile.
// Usage: node dist/sell.js PET_ID QUANTITY
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  check,
  checkSettings,
  findEntry,
  type InventoryItem,
  type InventoryUpdate,
  RefusedError,
  run,
  updateEntry,
} from './client.js';

type Stock = Pick<InventoryItem, 'quantity' | 'status'>;

/**
 * Sets a quantity once, if the stock is still this. Otherwise returns the current stock. A program
 * that may be restarted stores key, ETag and quantity before it sends them: only the same request
 * may be sent again.
 */
const updateIfStill = async (
  petId: string,
  { quantity, status }: Stock,
  update: InventoryUpdate,
): Promise<Stock | undefined> => {
  const etag = `"${quantity}-${status}"`;
  try {
    await updateEntry(petId, update, { 'If-Match': etag, 'Idempotency-Key': randomUUID() });
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusedError)) {
      throw error;
    }
    // A proxy that compresses puts W/ before an ETag.
    const [now, digits, statusNow] = /"(\d+)-([a-z]+)"$/.exec(error.etag ?? '') ?? [];
    check(now !== etag, `Nothing was sold: ${etag} was refused although it is the current ETag.`);
    return digits === undefined
      ? findEntry(petId)
      : { quantity: BigInt(digits), status: statusNow as Stock['status'] };
  }
};

run(async (args) => {
  check(args.length === 2, 'Usage: node dist/sell.js PET_ID QUANTITY');
  const [petId = '', sold = ''] = args;
  checkSettings(petId, sold);
  let stock: Stock | undefined = await findEntry(petId);
  let left = 0n;
  while (stock) {
    check(stock.status === 'available', `They are ${stock.status}.`);
    left = stock.quantity - BigInt(sold);
    check(left >= 0n, `Only ${stock.quantity} are left.`);
    stock = await updateIfStill(petId, stock, { quantity: left });
    if (stock) {
      // Others decide again, too, and not all at the same time.
      await sleep(1000 * Math.random());
    }
  }
  console.log(`Sold ${sold}, ${left} are left.`);
});
