import { StandardRetryStrategy } from '@smithy/core/retry';
import type { HttpRequest, RetryErrorInfo, SdkError, StandardRetryToken } from '@smithy/types';
import type { RequestRecord } from '../observability/request-log.ts';
import { busyTime } from '../shared/time-limits.ts';
import type { Connections, Exchange } from './connect.ts';
import { isConflict } from './failures.ts';
import {
  type ClockMetadata,
  correctClock,
  dynamodbTime,
  type SignatureScope,
  signer,
} from './signature.ts';
import { type Output, readOutput } from './wire-format.ts';

/** What a request learns of the attempts to send its commands. */
export type Attempts = Partial<Pick<RequestRecord, 'elapsed' | 'failedAttempt' | 'retries'>>;

/** How a command belongs to the request that it is sent for: the options of `client.send()`. */
export interface SendOptions extends Pick<Exchange, 'abortSignal'> {
  /** Is told why attempts have failed, and how many followed. */
  record?: Attempts;
  /** Whether a receipt tells what has become of it, so that it can always be retried. */
  hasReceipt?: boolean;
  /** Makes the output an UnparsedOutput, whose bytes are in this buffer. */
  buffer?: Exchange['buffer'];
}

/** Returns a function that makes one attempt: it signs a request, sends it and reads its output. */
export const attemptBy = ({ send }: Connections, scope: SignatureScope) => {
  const sign = signer(scope);
  return async (
    request: HttpRequest,
    timeout: number,
    { record = {}, hasReceipt, ...options }: SendOptions,
  ): Promise<Output> => {
    noteIfRetry(record, request);
    const signedAt = dynamodbTime();
    const signed = await sign(request, signedAt);
    let date: string | undefined;
    try {
      const response = await send(signed, { ...options, timeout });
      date = response.headers.date;
      return readOutput(response, options.buffer !== undefined);
    } catch (error) {
      correctClock(error, signedAt, date);
      // An attempt that was given up has not failed.
      if (!options.abortSignal?.aborted) {
        record.failedAttempt = error;
      }
      if (hasReceipt && record.elapsed) {
        clockOf.set(error as Error, record.elapsed);
      }
      throw error;
    }
  };
};

const sentBefore = new WeakSet<HttpRequest>();

const noteIfRetry = (record: Attempts, request: HttpRequest): void => {
  if (sentBefore.has(request)) {
    record.retries = (record.retries ?? 0) + 1;
  }
  sentBefore.add(request);
};

/** How long the request of a command with a receipt has taken, by the error of an attempt. */
const clockOf = new WeakMap<Error, () => number>();

/**
 * Retries as the SDK does, with three exceptions. A write that others hold up has had its turns when
 * it gets here. What has a receipt is retried as long as its request has time: it never counts as the
 * last attempt, but it uses the quota of retries that protects an overloaded service. After the clock
 * was corrected, a retry comes at once, and does not use that quota: otherwise, an instance with none
 * left could never correct its clock.
 */
export class RetryStrategy extends StandardRetryStrategy {
  override async refreshRetryTokenForRetry(token: StandardRetryToken, info: RetryErrorInfo) {
    if (isConflict(info.error)) {
      throw info.error;
    }
    const { $metadata } = info.error as SdkError & { $metadata?: ClockMetadata };
    const attempts = token.getRetryCount() + 1;
    const most = await this.maxAttempts();
    if ($metadata?.clockSkewCorrected && attempts < most) {
      return {
        getRetryCount: () => attempts,
        getRetryDelay: () => 0,
        getRetryCost: () => undefined,
      };
    }
    const hasTime = Number(clockOf.get(info.error as Error)?.()) < busyTime;
    const notLast = { ...token, getRetryCount: () => Math.min(attempts, most - 1) - 1 };
    return super.refreshRetryTokenForRetry(hasTime ? notLast : token, info);
  }
}
