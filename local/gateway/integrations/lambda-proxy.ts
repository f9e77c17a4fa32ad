import type { LambdaFunction } from '../../lambda/lambda-function.ts';
import type { Integration } from './integration.ts';
import { withTimeout } from './invocation.ts';
import { proxyEvent } from './proxy-event.ts';
import { writeProxyResult } from './proxy-response.ts';

/** The integration of type AWS_PROXY, buffered. */
export const lambdaProxy =
  (lambda: LambdaFunction, timeoutMs: number): Integration =>
  async (request, response) => {
    writeProxyResult(response, await withTimeout(lambda.invoke(proxyEvent(request)), timeoutMs));
  };
