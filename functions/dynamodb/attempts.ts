import { StandardRetryStrategy } from '@smithy/core/retry';
import type { HttpRequest, RetryErrorInfo, SdkError, StandardRetryToken } from '@smithy/types';
import type { RequestRecord } from '../observability/request-log.ts';
import type { Connection, Exchange } from './connect.ts';
import { mayHaveRun, UnsettledError } from './failures.ts';
import {
  type ClockMetadata,
  correctClock,
  dynamodbTime,
  type SignatureScope,
  signer,
} from './signature.ts';
import { type Output, readOutput } from './wire-format.ts';

/** How a command belongs to the request that it is sent for: the options of `client.send()`. */
export interface SendOptions extends Pick<Exchange, 'abortSignal'> {
  /** Is told why attempts have failed. */
  record?: Pick<RequestRecord, 'failedAttempt' | 'unsettledAttempt' | 'isUndecided'>;
  /** Makes the output an UnparsedOutput, whose bytes are in this buffer. */
  buffer?: Exchange['buffer'];
  /** Ends the command by an UnsettledError when it may have run, instead of repeating it. */
  neverTwice?: boolean;
}

/** Returns a function that makes one attempt: it signs a request, sends it and reads its output. */
export const attemptBy = ({ send }: Connection, scope: SignatureScope) => {
  const sign = signer(scope);
  return async (
    request: HttpRequest,
    timeout: number,
    { record = {}, neverTwice = false, ...options }: SendOptions,
  ): Promise<Output> => {
    const signedAt = dynamodbTime();
    const signed = await sign(request, signedAt);
    record.isUndecided = neverTwice;
    let date: string | undefined;
    try {
      const response = await send(signed, { ...options, timeout });
      date = response.headers.date;
      return readOutput(response, options.buffer !== undefined);
    } catch (error) {
      correctClock(error, signedAt, date);
      // An attempt that was given up has not failed.
      throw options.abortSignal?.aborted ? error : recordedFailure(error, { record, neverTwice });
    } finally {
      // Of an attempt that was given up, nobody will know the outcome.
      if (!options.abortSignal?.aborted) {
        record.isUndecided = false;
      }
    }
  };
};

/** Records why an attempt has failed. Returns the error that the SDK shall see. */
const recordedFailure = (
  error: unknown,
  { record, neverTwice }: Pick<SendOptions, 'neverTwice'> & Required<Pick<SendOptions, 'record'>>,
): unknown => {
  record.failedAttempt = error;
  if (!mayHaveRun(error)) {
    return error;
  }
  record.unsettledAttempt = error;
  return neverTwice
    ? new UnsettledError('DynamoDB may have run the command.', { cause: error })
    : error;
};

/**
 * Retries as the SDK does, with two exceptions. A command that must not run twice is not repeated
 * once it may have run. And after the clock was corrected, a retry comes at once, without using the
 * quota of retries that protects an overloaded service. Otherwise, an instance with no quota left
 * could never correct its clock.
 */
export class RetryStrategy extends StandardRetryStrategy {
  override async refreshRetryTokenForRetry(token: StandardRetryToken, info: RetryErrorInfo) {
    // The SDK would look for a transient error among its causes, find one, and retry.
    if (info.error instanceof UnsettledError) {
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
