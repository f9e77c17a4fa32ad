// Sells some of a pet, and never what others have sold or set meanwhile.
// Usage: node dist/sell.js PET_ID QUANTITY
import { stringify } from 'lossless-json';
import {
  call,
  check,
  checkSettings,
  findEntry,
  type InventoryItem,
  type InventoryUpdate,
  isUnknownOutcome,
  ResponseError,
  run,
} from './client.js';

type Stock = Pick<InventoryItem, 'quantity' | 'status'>;

/** Sets a quantity if the stock is still this. Otherwise returns the stock that there is now. */
const updateIfStill = async (
  petId: string,
  { quantity, status }: Stock,
  update: InventoryUpdate,
): Promise<Stock | undefined> => {
  try {
    const { etag } = await call(`/inventory/${petId}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', 'If-Match': `"${quantity}-${status}"` },
      body: stringify(update) ?? '',
    });
    if (etag !== null) {
      return undefined;
    }
  } catch (error) {
    if (error instanceof ResponseError && error.status === 412 && error.etag !== null) {
      const [digits = '', now] = error.etag.slice(1, -1).split('-');
      return { quantity: BigInt(digits), status: now as Stock['status'] };
    }
    if (isUnknownOutcome(error)) {
      const reason = (error as Error).message;
      throw new Error(`They may be sold, or not: look at the entry before you go on. ${reason}`);
    }
    throw error;
  }
  throw new Error('This version of the service ignores conditions: look at the entry.');
};

run(async (args) => {
  check(args.length === 2, 'Usage: node dist/sell.js PET_ID QUANTITY');
  const [petId = '', sold = ''] = args;
  checkSettings(petId, sold);
  let stock: Stock | undefined = await findEntry(petId);
  let left = 0n;
  while (stock) {
    check(stock.status === 'available', `It is ${stock.status}.`);
    left = stock.quantity - BigInt(sold);
    check(left >= 0n, `Only ${stock.quantity} are left.`);
    stock = await updateIfStill(petId, stock, { quantity: left });
  }
  console.log(`Sold ${sold}, ${left} are left.`);
});
