import { StandardRetryStrategy } from '@smithy/core/retry';
import type { HttpRequest, RetryErrorInfo, SdkError, StandardRetryToken } from '@smithy/types';
import type { RequestRecord } from '../observability/request-log.ts';
import type { Connections, Exchange } from './connect.ts';
import { isBusy, isUnsettled } from './failures.ts';
import {
  type ClockMetadata,
  correctClock,
  dynamodbTime,
  type SignatureScope,
  signer,
} from './signature.ts';
import { type Output, readOutput } from './wire-format.ts';

/** What a request learns of the attempts to send its commands. */
export type Attempts = Partial<
  Pick<RequestRecord, 'elapsed' | 'failedAttempt' | 'retries' | 'unsettledAttempt'>
>;

/** How a command belongs to the request that it is sent for: the options of `client.send()`. */
export interface SendOptions extends Pick<Exchange, 'abortSignal'> {
  /** Is told why attempts have failed, and how many followed. */
  record?: Attempts;
  /** Makes the output an UnparsedOutput, whose bytes are in this buffer. */
  buffer?: Exchange['buffer'];
}

/** Returns a function that makes one attempt: it signs a request, sends it and reads its output. */
export const attemptBy = ({ send }: Connections, scope: SignatureScope) => {
  const sign = signer(scope);
  return async (
    request: HttpRequest,
    timeout: number,
    { record = {}, ...options }: SendOptions,
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
        noteFailure(record, error);
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

const noteFailure = (record: Attempts, error: unknown): void => {
  record.failedAttempt = error;
  if (isUnsettled(error)) {
    record.unsettledAttempt = error;
  }
};

/**
 * Retries as the SDK does, with two exceptions. A write that others hold up has had its turns when
 * it gets here. After the clock was corrected, a retry comes at once, and does not use the quota of
 * retries that protects an overloaded service: otherwise, an instance with no quota left could never
 * correct its clock.
 */
export class RetryStrategy extends StandardRetryStrategy {
  override async refreshRetryTokenForRetry(token: StandardRetryToken, info: RetryErrorInfo) {
    if (isBusy(info.error)) {
      throw info.error;
    }
    const { $metadata } = info.error as SdkError & { $metadata?: ClockMetadata };
    const attempts = token.getRetryCount() + 1;
    if ($metadata?.clockSkewCorrected && attempts < (await this.maxAttempts())) {
      return {
        getRetryCount: () => attempts,
        getRetryDelay: () => 0,
        getRetryCost: () => undefined,
      };
    }
    return super.refreshRetryTokenForRetry(token, info);
  }
}
