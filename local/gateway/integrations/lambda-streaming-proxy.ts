import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LambdaFunction } from '../../lambda/lambda-function.ts';
import { GatewayResponseError } from '../responses/gateway-response.ts';
import type { Integration } from './integration.ts';
import { withTimeout } from './lambda-proxy.ts';
import { proxyEvent } from './proxy-event.ts';
import { writeProxyHead } from './proxy-response.ts';

/** The separator between the metadata and the payload of a streamed result. */
export const metadataEnd = Buffer.alloc(8);

/** The AWS_PROXY integration with the response transfer mode STREAM. */
export const lambdaStreamingProxy =
  (lambda: LambdaFunction, timeoutMs: number): Integration =>
  async (request, response) => {
    const signal = AbortSignal.timeout(timeoutMs);
    // A result whose client has disconnected is destroyed, otherwise its instance would wait for a
    // reader.
    const invocation = lambda.invokeStreaming(proxyEvent(request)).then((result) => {
      response.once('close', () => result.destroy());
      return response.destroyed ? result.destroy() : addAbortSignal(signal, result);
    });
    const result = await withTimeout(invocation, timeoutMs);
    try {
      const { cookies = [], ...head } = await readMetadata(result);
      writeProxyHead(response.setHeader('Set-Cookie', cookies), head);
      await pipeline(result, response);
    } catch (cause) {
      if (!response.headersSent && !response.destroyed) {
        throw new GatewayResponseError(signal.aborted ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX', {
          cause,
        });
      }
      // The status has been sent, so only a cut connection can tell the client of a failure.
      response.destroy();
      const { name, message } = result.errored ?? {};
      if (name === 'FunctionError' || name === 'AbortError') {
        console.error(
          `The response was cut: ${name === 'AbortError' ? 'it took too long.' : message}`,
        );
      }
    }
  };

/** Reads the metadata of a streamed result, and leaves the payload in the stream. */
const readMetadata = async (result: Readable): Promise<{ cookies?: string[] }> => {
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
