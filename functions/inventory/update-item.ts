import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { client, type SendOptions } from '../dynamodb/dynamodb-client.ts';
import { falseConditions } from '../dynamodb/failures.ts';
import type { RequestRecord } from '../observability/request-log.ts';
import { etagOf, stockOfEtag } from './etag.ts';
import { type InventoryItem, isPetStatus, type PetStatus, petStatuses } from './item.ts';
import {
  type BlankReceipt,
  blankReceipt,
  type Receipt,
  readReceipt,
  unlessThere,
} from './receipt.ts';
import { alreadyUsed, reasonFor, refusal } from './refusals.ts';
import { InvalidItemError } from './stored-item.ts';
import { type ItemUpdate, updateIf } from './update-if.ts';

type Options = SendOptions & { record: RequestRecord };

interface Updated {
  item: InventoryItem;
  /** A numeral, because a number might round what was stored. For the log. */
  quantityBefore: string | undefined;
}

/**
 * Sets the quantity of an existing item.
 * @throws ApiError `pet_not_found`, `precondition_failed`, `already_applied`, `already_refused`
 * @throws InvalidItemError if the item's stored status is invalid
 */
export const updateItem = (update: ItemUpdate, options: Options): Promise<Updated> =>
  update.idempotencyKey === undefined && isAny(update.ifMatch)
    ? updateAny(update, options)
    : updateOnce(update, options);

/** Whether every item matches an If-Match. An update demands anyway that there is one. */
const isAny = (ifMatch: string | undefined): ifMatch is '*' | undefined =>
  ifMatch === undefined || ifMatch === '*';

/** Updates an item whatever it is. If a response is lost, the update may be applied twice. */
const updateAny = async (update: ItemUpdate, options: Options): Promise<Updated> => {
  const command = new UpdateCommand({ ...updateIf({}, update), ReturnValues: 'ALL_OLD' });
  const { Attributes: before = {} } = await client.send(command, options).catch((error) => {
    falseConditions(error);
    throw refusal({ outcome: 'pet_not_found' });
  });
  const { petId, quantity } = update;
  const status = statusOf(before.status, `The quantity of petId ${petId} is now ${quantity}`);
  return { item: { petId, quantity, status }, quantityBefore: before.quantity?.value };
};

/**
 * Updates an item at most once, however often it is asked to. What decides about an update writes its
 * receipt. What comes later, a request or an attempt that was given up, finds it and changes nothing
 * (docs/decisions/0008-receipts.md).
 */
const updateOnce = async (update: ItemUpdate, options: Options): Promise<Updated> => {
  const blank = blankReceipt(update);
  const receipt = await decide(update, blank, { ...options, hasReceipt: true });
  if (receipt.request !== blank.request) {
    throw alreadyUsed(receipt);
  }
  if (receipt.writer !== blank.writer) {
    options.record.fields.repeated = true;
  }
  if (receipt.outcome !== 'applied') {
    throw refusal(receipt);
  }
  const stock = stockOfEtag(receipt.etag ?? '');
  if (stock === undefined) {
    throw new Error(`An update was applied, but its receipt has the unknown ETag ${receipt.etag}.`);
  }
  // A transaction returns no item, but an ETag tells what it was.
  const before = stockOfEtag(update.ifMatch ?? '');
  return { item: { petId: update.petId, ...stock }, quantityBefore: before?.quantity.toString() };
};

/** Applies or refuses an update, unless that was done before. Returns its receipt. */
const decide = async (
  update: ItemUpdate,
  blank: BlankReceipt,
  options: Options,
  // The response has the status, so it is demanded. Where no ETag tells it, this is the likeliest.
  likeliest: PetStatus = 'available',
): Promise<Receipt> => {
  const { petId, quantity, ifMatch } = update;
  const demanded = isAny(ifMatch) ? { status: likeliest } : stockOfEtag(ifMatch);
  const etag = etagOf({ status: likeliest, ...demanded, quantity });
  const applied: Receipt = { ...blank, outcome: 'applied', etag };
  const TransactItems = [{ Put: unlessThere(applied) }, { Update: updateIf(demanded, update) }];
  const transaction = new TransactWriteCommand({ TransactItems });
  const [receipt, entry] = await client.send(transaction, options).then(() => [], falseConditions);
  if (receipt !== undefined) {
    return readReceipt(receipt.Item, blank);
  }
  if (entry === undefined) {
    return applied;
  }
  if (isAny(ifMatch) && entry.Item !== undefined) {
    const status = statusOf(entry.Item.status?.S, `The quantity of petId ${petId} is unchanged`);
    return decide(update, blank, options, status);
  }
  return refuse({ ...blank, ...reasonFor(entry.Item) }, options);
};

/** Writes the receipt of a refusal before anybody is told. Returns it, or one that was there. */
const refuse = async (refused: Receipt, options: Options): Promise<Receipt> => {
  const put = new PutCommand(unlessThere(refused));
  const [receipt] = await client.send(put, options).then(() => [], falseConditions);
  return receipt === undefined ? refused : readReceipt(receipt.Item, refused);
};

const statusOf = (status: unknown, what: string): PetStatus => {
  if (!isPetStatus(status)) {
    throw new InvalidItemError(`${what}, but its status is not one of ${petStatuses.join(', ')}.`);
  }
  return status;
};
