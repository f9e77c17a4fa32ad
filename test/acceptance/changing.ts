import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from '../support/http/http-client.ts';
import type { HttpResponse } from '../support/http/raw-request.ts';
import { ChangedByAnother, repeated } from './repeated.ts';
import { type InventoryItem, patch } from './service.ts';

/** The quantities of a run begin here, so that it can tell its updates from those of others. */
const firstQuantity = BigInt(randomInt(1_000_000, 1_000_000_000));
let lastQuantity = firstQuantity;

/** What every update asks for that must be rejected. */
export const rejectedQuantity = firstQuantity;

/** Returns a quantity that nobody has set yet: not this run, and hardly another client. */
export const newQuantity = (): bigint => {
  lastQuantity += 1n;
  return lastQuantity;
};

/** The smallest and the largest quantity, which a run sets as well. */
export const extremes = [0n, 9_007_199_254_740_991n];

const isOfThisRun = (quantity: bigint): boolean =>
  (quantity >= firstQuantity && quantity <= lastQuantity) || extremes.includes(quantity);

export const etagOf = ({ quantity, status }: Omit<InventoryItem, 'petId'>): string =>
  `"${quantity}-${status}"`;

interface ConditionalUpdate {
  quantity: bigint;
  ifMatch?: string;
  key?: string;
}

/** Sends an update with a condition, or a key. It is not repeated, except after a 429. */
export const updateIf = (
  petId: bigint,
  { quantity, ifMatch, key }: ConditionalUpdate,
): Promise<HttpResponse> => {
  return patch(petId, `{"quantity":${quantity}}`, {
    ...json,
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  });
};

/**
 * Looks at an entry: the 412 of an ETag that matches none says how it is. What this sends would
 * change nothing if it were applied.
 */
export const look = async ({ petId, quantity }: InventoryItem): Promise<InventoryItem> => {
  const { status, headers } = await updateIf(petId, { quantity, ifMatch: '"00-sold"' });
  const [, digits, petStatus] = /^"(\d+)-(\w+)"$/.exec(headers.etag ?? '') ?? [];
  if (digits === undefined || petStatus === undefined) {
    throw new Error(`petId ${petId} could not be looked at: ${status}.`);
  }
  return { petId, quantity: BigInt(digits), status: petStatus };
};

/** Makes a check that changes an entry, and sets its quantity back however the check ends. */
export const changing = <Row extends unknown[]>(
  entry: InventoryItem,
  check: (item: InventoryItem, ...row: Row) => Promise<void>,
) =>
  repeated(async (...row: Row) => {
    const item = await look(entry);
    const failure = await check(item, ...row).catch((error: Error) => error);
    const isOfAnother = await setBack(item);
    if (failure !== undefined) {
      throw isOfAnother ? new ChangedByAnother(failure.message) : failure;
    }
  });

/** How often setting back is tried with a condition. */
const mostAttempts = 4;

/**
 * Sets the quantity of an entry back, unless another client has changed it meanwhile. Returns
 * whether one has.
 * @throws Error that says what the quantity was, if it could not be set back
 */
export const setBack = async (item: InventoryItem): Promise<boolean> => {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const isOfAnother = await setBackOnce(item).catch(() => undefined);
    if (isOfAnother !== undefined) {
      return isOfAnother;
    }
    await sleep(1_000);
  }
  // The condition may be what fails.
  const { petId, quantity } = item;
  const { status } = await patch(petId, `{"quantity":${quantity}}`).catch((error: Error) => ({
    status: error.message,
  }));
  if (status !== 200) {
    const problem = `which could not be set back: ${status}`;
    throw new Error(`petId ${petId} had the quantity ${quantity}, ${problem}.`);
  }
  return false;
};

/**
 * Looks first, because an update before this one that got no clear response may have been applied.
 * Returns what `setBack` returns, or undefined if the update was not applied.
 */
const setBackOnce = async (item: InventoryItem): Promise<boolean | undefined> => {
  const now = await look(item);
  if (now.quantity === item.quantity || !isOfThisRun(now.quantity)) {
    return now.quantity !== item.quantity;
  }
  const { quantity } = item;
  const { status } = await updateIf(item.petId, { quantity, ifMatch: etagOf(now) });
  return status === 200 ? false : undefined;
};
