import { once } from 'node:events';
import { EventTooLargeError, NotInvokedError } from '../../lambda/function-error.ts';
import type { LambdaFunction } from '../../lambda/lambda-function.ts';
import { GatewayResponseError, type GatewayResponseType } from '../responses/gateway-response.ts';
import type { Integration } from './integration.ts';
import { proxyEvent } from './proxy-event.ts';
import { writeProxyHead } from './proxy-response.ts';

/** The integration of type AWS_PROXY, buffered. What is encoded stays so, as in every API without binary media types. */
export const lambdaProxy =
  (lambda: LambdaFunction, timeoutMs: number): Integration =>
  async (request, response) => {
    using limit = timeLimit(timeoutMs);
    const result = await inTime(lambda.invoke(proxyEvent(request)), limit.signal);
    response.end(writeProxyHead(response, result).body ?? '');
  };

/** A signal for the end of a request's time. Its clock must be stopped: until then it would hold all that waits for it. */
export const timeLimit = (milliseconds: number): Disposable & { signal: AbortSignal } => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds).unref();
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
};

/**
 * The result of an invocation, or the error to respond with when there is none in time.
 * @throws GatewayResponseError
 */
export const inTime = <Result>(invocation: Promise<Result>, limit: AbortSignal): Promise<Result> => {
  const timedOut = once(limit, 'abort').then(() => {
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
  return error instanceof NotInvokedError ? 'API_CONFIGURATION_ERROR' : 'DEFAULT_5XX';
};
