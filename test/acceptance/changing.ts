import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from '../support/http/http-client.ts';
import type { HttpResponse } from '../support/http/raw-request.ts';
import { type Client, type InventoryItem, listed } from './service.ts';

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

/** The quantities that a run sets because their form is special. */
export const specialQuantities = ['0', '9007199254740991', '1.0', '1e2', ' 5 '];

const isOfThisRun = (quantity: bigint): boolean =>
  (quantity >= firstQuantity && quantity <= lastQuantity) ||
  specialQuantities.some((special) => BigInt(Number(special)) === quantity);

export const etagOf = ({ quantity, status }: Omit<InventoryItem, 'petId'>): string =>
  `"${quantity}-${status}"`;

interface ConditionalUpdate {
  quantity: bigint;
  ifMatch: string;
}

/** Sends an update with a condition. It is not repeated, except after a 429. */
export const updateIf = (
  { patch }: Client,
  petId: bigint,
  { quantity, ifMatch }: ConditionalUpdate,
): Promise<HttpResponse> =>
  patch(petId, `{"quantity":${quantity}}`, { ...json, 'If-Match': ifMatch });

/**
 * Looks at an entry. The 412 of an ETag that matches no entry says how it is; a service without
 * that 412 is asked for its list. What this sends would change nothing if it were applied.
 */
export const look = async (client: Client, item: InventoryItem): Promise<InventoryItem> => {
  const { petId, quantity } = item;
  const { status, headers } = await updateIf(client, petId, { quantity, ifMatch: '"00-sold"' });
  const [, digits, petStatus] = /^"(\d+)-(\w+)"$/.exec(headers.etag ?? '') ?? [];
  if (status === 412 && digits !== undefined && petStatus !== undefined) {
    return { petId, quantity: BigInt(digits), status: petStatus };
  }
  const found = await listed(client, petId);
  if (found === undefined) {
    throw new Error(`petId ${petId} has no entry any more.`);
  }
  return found;
};

/** How often a check is made whose entry another client changes meanwhile. */
const mostTries = 3;

/**
 * Runs a check that changes an entry, and sets its quantity back however the check ends. A check
 * that fails is repeated if another client has changed the entry: the check gets the entry as it is
 * then.
 */
export const changing = async (
  client: Client,
  found: InventoryItem,
  check: (item: InventoryItem) => Promise<void>,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const item = await look(client, found);
    let failure: unknown;
    try {
      await check(item);
    } catch (error) {
      failure = error;
    }
    const isAsWeLeftIt = await setBack(client, item).catch((error: Error) => {
      process.stderr.write(`${error.message}\n`);
      failure ??= error;
      return true;
    });
    if (failure === undefined) {
      return;
    }
    if (isAsWeLeftIt || tries === mostTries) {
      throw failure;
    }
  }
};

/** How often setting back is tried. The last time, it has no condition, which may be what fails. */
const mostAttempts = 5;

/**
 * Sets the quantity of an entry back. Each attempt looks first, because one before it that got no
 * clear response may have been applied. Returns false, and leaves the entry, if another client has
 * changed it.
 * @throws Error that says what the quantity was, if it could not be set back
 */
export const setBack = async (client: Client, item: InventoryItem): Promise<boolean> => {
  let answer: number | string = '';
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const isConditional = attempt < mostAttempts;
    const result = await setBackOnce(client, item, isConditional).catch(
      (error: Error) => error.message,
    );
    if (typeof result === 'boolean') {
      return result;
    }
    answer = result;
    await sleep(1_000);
  }
  throw new Error(
    `petId ${item.petId} had the quantity ${item.quantity}, which could not be set back: ${answer}.`,
  );
};

/** Returns what `setBack` returns, or the status of an update that was not applied. */
const setBackOnce = async (
  client: Client,
  item: InventoryItem,
  isConditional: boolean,
): Promise<boolean | number> => {
  const { petId, quantity } = item;
  const now = await look(client, item);
  if (now.quantity === quantity) {
    return true;
  }
  if (!isOfThisRun(now.quantity)) {
    return false;
  }
  const { status } = isConditional
    ? await updateIf(client, petId, { quantity, ifMatch: etagOf(now) })
    : await client.patch(petId, `{"quantity":${quantity}}`);
  return status === 200 ? true : status;
};
