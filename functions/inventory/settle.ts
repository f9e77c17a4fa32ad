import { randomUUID } from 'node:crypto';
import { IdempotentParameterMismatchException } from '@aws-sdk/client-dynamodb';
import type { Attempts } from '../dynamodb/attempts.ts';
import { type ApiError, outcomeUnknown } from '../errors/api-error.ts';
import { refusalOf } from './refusals.ts';

/** The conditions of checks, which change nothing. */
export const always = 'attribute_exists(petId) OR attribute_not_exists(petId)';
export const never = 'attribute_exists(petId) AND attribute_not_exists(petId)';

/** What settles an update. */
export interface Settling<Output> {
  /** The token of the update. */
  token: string;
  /** Sends the update. */
  apply: () => Promise<Output>;
  /** Sends a check with a token. */
  check: Check;
  /** Whether the client may send the update again. */
  hasKey: boolean;
  record: Attempts;
  /** What this instance has learned from other updates. */
  learned: Learned;
}

type Check = (token: string, condition: typeof always | typeof never) => Promise<unknown>;

export interface Learned {
  /** Whether DynamoDB keeps the tokens of refused transactions, which it does not document. */
  keepsRefused?: boolean;
}

/** How often an update is sent whose token cannot be taken. */
const rounds = 3;

/**
 * Applies an update, or throws a refusal that is final (docs/decisions/0008-idempotency-keys.md). A
 * false condition is not: an attempt that is late, or a repetition, could find a stock that has come
 * back. A check that takes the token shuts them out. If the token is not to be had, the update was
 * applied late, or an attempt is running, or another update has it: sending the update again tells.
 * @throws ApiError the refusal, or `outcome_unknown`: when the client sends the request again, it
 * gets to know
 */
export const settle = async <Output>(settling: Settling<Output>): Promise<Output> => {
  const { apply, record } = settling;
  let reason: ApiError | undefined;
  for (let round = 1; round <= rounds; round++) {
    const { output, refusal } = await answerTo(apply(), record);
    if (refusal === undefined) {
      return output;
    }
    // A false condition tells the client more than a token that is taken.
    reason = reason && !isOfCondition(refusal) ? reason : refusal;
    if (await isFinal(refusal, settling)) {
      throw reason;
    }
  }
  throw isOfCondition(reason) ? outcomeUnknown(record.failedAttempt) : reason;
};

type Answer<Output> =
  | { output: Output; refusal?: undefined }
  | { output?: undefined; refusal: ApiError };

/**
 * Returns the output of an update, or why DynamoDB has refused it.
 * @throws ApiError `outcome_unknown` if it has failed otherwise and may have been applied
 */
const answerTo = <Output>(update: Promise<Output>, record: Attempts): Promise<Answer<Output>> =>
  update.then(
    (output) => ({ output }),
    (error) => {
      const refusal = refusalOf(error);
      if (refusal === undefined) {
        const { unsettledAttempt } = record;
        throw unsettledAttempt === undefined ? error : outcomeUnknown(unsettledAttempt);
      }
      return { refusal };
    },
  );

/** Whether a refusal is because of a false condition, and not of a token that is taken. */
const isOfCondition = (refusal?: ApiError): boolean => refusal?.code !== 'idempotency_key_reused';

/**
 * Makes a refusal final if that is possible. Returns whether it is.
 * @throws ApiError `outcome_unknown`
 */
const isFinal = async (refusal: ApiError, settling: Settling<unknown>): Promise<boolean> => {
  const { token, hasKey, record, check, learned } = settling;
  const mayBeLate = hasKey || record.unsettledAttempt !== undefined;
  if (!mayBeLate || (isOfCondition(refusal) && learned.keepsRefused)) {
    return true;
  }
  const isTaken = await hasToken(check(token, always));
  if (isOfCondition(refusal)) {
    learned.keepsRefused ??= isTaken ? false : await keepsRefused(settling);
  }
  return isTaken;
};

/**
 * Whether a check has its token, which otherwise belongs to another transaction.
 * @throws ApiError `outcome_unknown` if neither is known
 */
const hasToken = (check: Promise<unknown>): Promise<boolean> =>
  check.then(
    () => true,
    (error) => {
      if (error instanceof IdempotentParameterMismatchException) {
        return false;
      }
      throw outcomeUnknown(error);
    },
  );

/**
 * Asks whether DynamoDB keeps the tokens of refused transactions: whether another check can have the
 * token of one that was refused.
 * @throws ApiError `outcome_unknown` if that cannot be known now
 */
const keepsRefused = async ({ check, record }: Settling<unknown>): Promise<boolean> => {
  const token = randomUUID();
  const { unsettledAttempt: ofUpdate } = record;
  // What was not settled before matters later, but not for this.
  record.unsettledAttempt = undefined;
  const refused = await check(token, never).catch((error) => error);
  const { unsettledAttempt } = record;
  record.unsettledAttempt = ofUpdate ?? unsettledAttempt;
  // An attempt that is still running could have the token, too.
  if (refusalOf(refused) === undefined || unsettledAttempt !== undefined) {
    throw outcomeUnknown(unsettledAttempt ?? refused);
  }
  return !(await hasToken(check(token, always)));
};
