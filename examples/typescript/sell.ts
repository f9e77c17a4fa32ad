// Sells some of a pet: once, and never what others have sold or set meanwhile.
// Usage: node dist/sell.js PET_ID QUANTITY FILE
// The file is for this sale alone. If the program is interrupted, start it again as before: with the
// same arguments, base URL and API key.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  check,
  checkSettings,
  findEntry,
  fiveMinutes,
  type InventoryItem,
  RefusedError,
  run,
  updateEntry,
} from './client.js';
import { readSale, type Sale, storeSale } from './sale-file.js';

type Stock = Pick<InventoryItem, 'quantity' | 'status'>;

/** @throws Error if a stock does not allow the sale */
const decide = (petId: string, sold: string, { quantity, status }: Stock): Sale => {
  check(status === 'available', `They are ${status}.`);
  const left = quantity - BigInt(sold);
  check(left >= 0n, `Only ${quantity} are left.`);
  return {
    petId,
    sold,
    left: `${left}`,
    etag: `"${quantity}-${status}"`,
    idempotencyKey: randomUUID(),
    firstSentAt: Date.now(),
    isSold: false,
  };
};

/** @throws Error if the service may have forgotten a sale: it could then be made twice */
const checkAge = (file: string, { petId, etag, left, firstSentAt }: Sale): void => {
  const age = (Date.now() - firstSentAt) / 1000;
  check(
    // Below 0, the clock has been set back, and nobody knows.
    age >= 0 && age < fiveMinutes,
    `It may have been applied: check the entry. At ${new Date(firstSentAt).toISOString()}, pet ` +
      `${petId} was to go from ${etag} to ${left}. If it did not, delete ${file} and start again.`,
  );
};

/** @throws Error that does not let a sale look unmade */
const storeSold = (file: string, sale: Sale): void => {
  try {
    storeSale(file, { ...sale, isSold: true });
  } catch (cause) {
    throw new Error(`They are sold, but ${file} does not say so`, { cause });
  }
};

/**
 * Sells, if the stock is still what the sale is based on. Otherwise returns the current stock. The
 * file contains the sale before it is sent, and whether it is sold before that is told.
 */
const sell = async (file: string, sale: Sale): Promise<Stock | undefined> => {
  const { petId, left, etag, idempotencyKey, firstSentAt } = sale;
  checkAge(file, sale);
  storeSale(file, sale);
  try {
    const condition = { 'If-Match': etag, 'Idempotency-Key': idempotencyKey };
    await updateEntry(petId, { quantity: BigInt(left) }, condition, firstSentAt);
    storeSold(file, sale);
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusedError)) {
      throw error;
    }
    rmSync(file);
    // A proxy that compresses puts W/ before an ETag.
    const [now, digits, status] = /"(\d+)-([a-z]+)"$/.exec(error.etag ?? '') ?? [];
    check(now !== etag, `Nothing was sold: ${etag} was refused although it is the current ETag.`);
    return digits === undefined
      ? findEntry(petId)
      : { quantity: BigInt(digits), status: status as Stock['status'] };
  }
};

run(async (args) => {
  check(args.length === 3, 'Usage: node dist/sell.js PET_ID QUANTITY FILE');
  const [petId = '', sold = '', file = ''] = args;
  checkSettings(petId, sold);
  let sale = readSale(file) ?? decide(petId, sold, await findEntry(petId));
  check(sale.petId === petId && sale.sold === sold, `${file} contains another sale.`);
  let stock = sale.isSold ? undefined : await sell(file, sale);
  while (stock) {
    // Others start over, too, and not all at the same time.
    await sleep(1000 * Math.random());
    sale = decide(petId, sold, stock);
    stock = await sell(file, sale);
  }
  console.log(`Sold ${sold}, ${sale.left} are left.`);
});
