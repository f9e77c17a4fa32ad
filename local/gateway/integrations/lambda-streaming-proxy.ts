import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LambdaFunction } from '../../lambda/lambda-function.ts';
import { metadataEnd } from '../../lambda/response-stream.ts';
import { GatewayResponseError } from '../gateway-response.ts';
import { type Integration, proxyEvent, withTimeout, writeProxyHead } from './lambda-proxy.ts';

/** The integration of type AWS_PROXY with the response transfer mode STREAM. */
export const lambdaStreamingProxy =
  (lambda: LambdaFunction, timeoutMs: number): Integration =>
  async (request, authorizer, response) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const result = await withTimeout(lambda.invokeStreaming(proxyEvent(request, authorizer)), timeoutMs);
    try {
      writeProxyHead(response, await readMetadata(addAbortSignal(signal, result)));
    } catch (cause) {
      result.destroy();
      throw new GatewayResponseError(signal.aborted ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX', { cause });
    }
    // The status is sent: all that is left to say of a failure is to cut the connection, which is what
    // pipeline does. And the function hears of a client that has left.
    await pipeline(result, response).catch((error) => console.error(`The answer was cut: ${error.message}`));
  };

/** Reads what stands before the payload of a streamed result. */
const readMetadata = async (result: Readable): Promise<unknown> => {
  let read = Buffer.alloc(0);
  for await (const chunk of result.iterator({ destroyOnReturn: false })) {
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf(metadataEnd);
    if (end >= 0) {
      result.unshift(read.subarray(end + metadataEnd.length));
      return JSON.parse(read.toString('utf8', 0, end));
    }
  }
  throw new Error('The result holds no metadata.');
};
