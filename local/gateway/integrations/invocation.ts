import { setTimeout } from 'node:timers/promises';
import { EventTooLargeError, NotPermittedError, ThrottledError } from '../../lambda/function-error.ts';
import { GatewayResponseError, type GatewayResponseType } from './integration.ts';

/**
 * The result of an invocation, or the error to respond with when there is none in time.
 * @throws GatewayResponseError
 */
export const withTimeout = <Result>(invocation: Promise<Result>, timeoutMs: number): Promise<Result> => {
  const timedOut = setTimeout(timeoutMs, undefined, { ref: false }).then(() => {
    throw new GatewayResponseError('INTEGRATION_TIMEOUT');
  });
  const invoked = invocation.catch((cause) => {
    throw new GatewayResponseError(responseTypeOf(cause), { cause });
  });
  return Promise.race([invoked, timedOut]);
};

const responseTypeOf = (error: unknown): GatewayResponseType => {
  if (error instanceof EventTooLargeError) {
    return 'REQUEST_TOO_LARGE';
  }
  const isRejected = error instanceof NotPermittedError || error instanceof ThrottledError;
  return isRejected ? 'API_CONFIGURATION_ERROR' : 'DEFAULT_5XX';
};
