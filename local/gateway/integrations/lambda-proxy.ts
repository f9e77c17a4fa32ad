import { EventTooLargeError, NotInvokedError } from '../../lambda/function-error.ts';
import type { LambdaFunction } from '../../lambda/lambda-function.ts';
import { endResponse } from '../responses/end-response.ts';
import { GatewayResponseError, type GatewayResponseType } from '../responses/gateway-response.ts';
import type { Integration } from './integration.ts';
import { proxyEvent } from './proxy-event.ts';
import { writeProxyHead } from './proxy-response.ts';

/**
 * The buffered AWS_PROXY integration. Base64 bodies stay encoded, as in every API without binary
 * media types.
 */
export const lambdaProxy =
  (lambda: LambdaFunction, timeoutMs: number): Integration =>
  async (request, response) => {
    const result = await withTimeout(lambda.invoke(proxyEvent(request)), timeoutMs);
    const { body } = writeProxyHead(response, result);
    endResponse(response, request.record, body ?? '');
  };

/**
 * Waits for the result of an invocation.
 * @throws GatewayResponseError the response to send if the invocation fails or times out
 */
export const withTimeout = <Result>(
  invocation: Promise<Result>,
  timeoutMs: number,
): Promise<Result> => {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => {
    reject(new GatewayResponseError('INTEGRATION_TIMEOUT'));
  }, timeoutMs);
  invocation
    .then(resolve, (cause) => reject(new GatewayResponseError(responseTypeOf(cause), { cause })))
    // A timer left running would keep the result in memory.
    .finally(() => clearTimeout(timer));
  return promise;
};

const responseTypeOf = (error: unknown): GatewayResponseType => {
  if (error instanceof EventTooLargeError) {
    return 'REQUEST_TOO_LARGE';
  }
  return error instanceof NotInvokedError ? 'API_CONFIGURATION_ERROR' : 'DEFAULT_5XX';
};
