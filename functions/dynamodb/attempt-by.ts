import type { HttpRequest } from '@smithy/types';
import type { RequestRecord } from '../observability/request-record.ts';
import { correctClock, dynamodbTime } from './clock.ts';
import type { Connection, Exchange } from './connect.ts';
import { mayHaveRun } from './failures.ts';
import { type SignatureScope, signer } from './signer.ts';
import { type Output, readOutput } from './wire-format.ts';

/** How a command belongs to the request that it is sent for: the options of `client.send()`. */
export interface SendOptions extends Pick<Exchange, 'abortSignal'> {
  /** Is told why attempts have failed. */
  record?: Pick<RequestRecord, 'failedAttempt' | 'unsettledAttempt'>;
  /** Makes the output an UnparsedOutput, whose bytes are in this buffer. */
  buffer?: Exchange['buffer'];
}

/** Returns a function that makes one attempt: it signs a request, sends it and reads its output. */
export const attemptBy = ({ send }: Connection, scope: SignatureScope) => {
  const sign = signer(scope);
  return async (
    request: HttpRequest,
    timeout: number,
    { record = {}, ...options }: SendOptions,
  ): Promise<Output> => {
    const signedAt = dynamodbTime();
    let date: string | undefined;
    try {
      const response = await send(await sign(request, signedAt), { ...options, timeout });
      date = response.headers.date;
      return readOutput(response, options.buffer !== undefined);
    } catch (error) {
      correctClock(error, signedAt, date);
      // An attempt that was given up has not failed.
      if (!options.abortSignal?.aborted) {
        record.failedAttempt = error;
        record.unsettledAttempt = mayHaveRun(error) ? error : record.unsettledAttempt;
      }
      throw error;
    }
  };
};
