import { hash, randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { variable } from '../shared/environment.ts';
import type { ItemUpdate } from './update-if.ts';

const TableName = variable('RECEIPTS_TABLE_NAME');

/**
 * Seconds for which DynamoDB keeps a receipt, at least: the week that clients are promised, and a day
 * more for attempts that are late.
 */
const keptFor = 8 * 86_400;

const outcomes = ['applied', 'pet_not_found', 'precondition_failed'] as const;

/** What has become of an update. It is written once. */
export interface Receipt {
  /** A hash of the API key and the client's Idempotency-Key; without one, a UUID. */
  id: string;
  /** A hash of what the client asks for. */
  request: string;
  /** A UUID of the request that has written it, which nobody chooses. */
  writer: string;
  outcome: (typeof outcomes)[number];
  /** The ETag of the updated item, or of the one that does not match. A damaged one has none. */
  etag?: string | undefined;
}

/** A receipt before anything has become of its update. */
export type BlankReceipt = Omit<Receipt, 'outcome' | 'etag'>;

/**
 * Returns the receipt to write for a request. Its id and what it says of the request must be the same
 * in every version: clients may repeat a request of the version before.
 */
export const blankReceipt = (update: ItemUpdate): BlankReceipt => {
  const { keyId, idempotencyKey, petId, quantity, ifMatch } = update;
  const writer = randomUUID();
  return {
    id: idempotencyKey === undefined ? writer : digest(keyId, idempotencyKey),
    request: digest(String(petId), quantity, ifMatch),
    writer,
  };
};

const digest = (...values: unknown[]): string =>
  hash('sha256', JSON.stringify(values), 'base64url');

/** Returns the parameters that write a receipt, unless there is one: DynamoDB then shows that. */
export const unlessThere = (receipt: Receipt) => ({
  TableName,
  Item: { ...receipt, expiresAt: Math.ceil(Date.now() / 1_000) + keptFor },
  ConditionExpression: 'attribute_not_exists(id)',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
});

/**
 * Reads the receipt that DynamoDB shows in place of one that was to be written.
 * @throws Error if it is not the one of that id, or has an outcome that this version does not know
 */
export const readReceipt = (
  shown: Record<string, AttributeValue> | undefined,
  { id }: BlankReceipt,
): Receipt => {
  const texts = Object.entries(shown ?? {}).map(([name, { S }]) => [name, S]);
  const receipt: Partial<Receipt> = Object.fromEntries(texts);
  const isKnown = outcomes.some((outcome) => outcome === receipt.outcome);
  if (receipt.id !== id || receipt.request === undefined || !isKnown) {
    throw new Error('The receipt of this update cannot be read.');
  }
  return receipt as Receipt;
};
