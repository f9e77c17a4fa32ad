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

type Condition = typeof always | typeof never;

type Check = (token: string, condition: Condition) => Promise<unknown>;

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
  let reason: ApiError | undefined;
  for (let round = 1; round <= rounds; round++) {
    const { output, refusal } = await answerTo(settling, { othersHaveToken: round > 1 });
    if (refusal === undefined) {
      return output;
    }
    // A false condition tells the client more than a token that is taken.
    reason = reason && !isOfCondition(refusal) ? reason : refusal;
    if (await isFinal(refusal, settling)) {
      throw reason;
    }
  }
  throw isOfCondition(reason) ? outcomeUnknown(settling.record.failedAttempt) : reason;
};

type Answer<Output> =
  | { output: Output; refusal?: undefined }
  | { output?: undefined; refusal: ApiError };

/**
 * Returns the output of an update, or why DynamoDB has refused it.
 * @throws ApiError `outcome_unknown` if it has failed otherwise and may have been applied
 */
const answerTo = <Output>(
  { apply, record }: Settling<Output>,
  { othersHaveToken }: { othersHaveToken: boolean },
): Promise<Answer<Output>> =>
  apply().then(
    (output) => ({ output }),
    (error) => {
      const refusal = refusalOf(error);
      if (refusal !== undefined) {
        return { refusal };
      }
      const { unsettledAttempt } = record;
      const mayBeApplied = othersHaveToken || unsettledAttempt !== undefined;
      throw mayBeApplied ? outcomeUnknown(unsettledAttempt ?? error) : error;
    },
  );

/** Whether a refusal is because of a false condition, and not of a token that is taken. */
const isOfCondition = (refusal?: ApiError): boolean => refusal?.code !== 'idempotency_key_reused';

/**
 * Makes a refusal final if that is possible. Returns whether it is.
 * @throws ApiError `outcome_unknown`
 */
const isFinal = async (refusal: ApiError, settling: Settling<unknown>): Promise<boolean> => {
  const { token, hasKey, record, learned } = settling;
  const mayBeLate = hasKey || record.unsettledAttempt !== undefined;
  if (!mayBeLate || (isOfCondition(refusal) && learned.keepsRefused)) {
    return true;
  }
  const isOurs = await takesToken(token, settling);
  if (isOfCondition(refusal)) {
    learned.keepsRefused ??= isOurs ? false : await keepsRefused(settling);
  }
  return isOurs;
};

/**
 * Whether a check takes a token, which otherwise belongs to another transaction.
 * @throws ApiError `outcome_unknown` if neither is known
 */
const takesToken = async (token: string, settling: Settling<unknown>): Promise<boolean> => {
  const { failure } = await sendCheck(token, always, settling);
  if (failure !== undefined && !(failure instanceof IdempotentParameterMismatchException)) {
    throw outcomeUnknown(failure);
  }
  return failure === undefined;
};

/**
 * Asks whether DynamoDB keeps the tokens of refused transactions: whether another check can have the
 * token of one that was refused.
 * @throws ApiError `outcome_unknown` if that cannot be known now
 */
const keepsRefused = async (settling: Settling<unknown>): Promise<boolean> => {
  const token = randomUUID();
  const { failure, unsettledAttempt } = await sendCheck(token, never, settling);
  // An attempt that is still running could have the token, too.
  if (refusalOf(failure) === undefined || unsettledAttempt !== undefined) {
    throw outcomeUnknown(unsettledAttempt ?? failure);
  }
  return !(await takesToken(token, settling));
};

/** Why a check has failed, if it has, and why an attempt of it is not settled, if one is not. */
interface Checked {
  failure?: unknown;
  unsettledAttempt?: unknown;
}

/** Sends a check. It changes nothing, so the record keeps what is not settled of the update. */
const sendCheck = async (
  token: string,
  condition: Condition,
  { check, record }: Settling<unknown>,
): Promise<Checked> => {
  const { unsettledAttempt: ofUpdate } = record;
  record.unsettledAttempt = undefined;
  const failure = await check(token, condition).then(
    () => undefined,
    (error) => error,
  );
  const { unsettledAttempt } = record;
  record.unsettledAttempt = ofUpdate;
  return { failure, unsettledAttempt };
};
