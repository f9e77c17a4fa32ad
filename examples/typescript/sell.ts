// Sells some of a pet: once, and never what others have sold or set meanwhile.
// Usage: node dist/sell.js PET_ID QUANTITY
import { randomUUID } from 'node:crypto';
import { stringify } from 'lossless-json';
import {
  call,
  check,
  checkSettings,
  findEntry,
  type InventoryItem,
  type InventoryUpdate,
  isRefused,
  run,
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
  try {
    await call(`/inventory/${petId}`, {
      method: 'PATCH',
      headers: {
        'Content-Type': 'application/json',
        'If-Match': `"${quantity}-${status}"`,
        'Idempotency-Key': randomUUID(),
      },
      body: stringify(update) ?? '',
    });
    return undefined;
  } catch (error) {
    if (!isRefused(error)) {
      throw error;
    }
    // A proxy that compresses puts W/ before an ETag.
    const [, digits, now] = /"(\d+)-([a-z]+)"$/.exec(error.etag ?? '') ?? [];
    return digits === undefined
      ? findEntry(petId)
      : { quantity: BigInt(digits), status: now as Stock['status'] };
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
  }
  console.log(`Sold ${sold}, ${left} are left.`);
});
