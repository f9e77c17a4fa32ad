import type { ServerResponse } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { LambdaFunction } from '../../lambda/lambda-function.ts';
import { printFailure } from '../../log/print.ts';
import { endResponse } from '../responses/end-response.ts';
import { GatewayResponseError } from '../responses/gateway-response.ts';
import type { GatewayRequest, Integration } from './integration.ts';
import { withTimeout } from './lambda-proxy.ts';
import { proxyEvent } from './proxy-event.ts';
import { writeProxyHead } from './proxy-response.ts';

/** The separator between the metadata and the payload of a streamed result. */
export const metadataEnd = Buffer.alloc(8);

/** The AWS_PROXY integration with the response transfer mode STREAM. */
export const lambdaStreamingProxy =
  (lambda: LambdaFunction, timeoutMs: number): Integration =>
  async (request, response) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const invocation = lambda
      .invokeStreaming(proxyEvent(request))
      .then((result) => addAbortSignal(timeout, destroyedWith(response, result)));
    const result = await withTimeout(invocation, timeoutMs);
    try {
      await sendResult(request, response, result);
    } catch (cause) {
      if (!response.headersSent && !response.destroyed) {
        const type = timeout.aborted ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX';
        throw new GatewayResponseError(type, { cause });
      }
      // The status has been sent, so only a cut connection can tell the client of a failure.
      response.destroy();
      reportCut(result.errored);
    }
  };

/**
 * Destroys a result when its client disconnects, otherwise its instance would wait for a reader.
 */
const destroyedWith = (response: ServerResponse, result: Readable): Readable => {
  response.once('close', () => result.destroy());
  return response.destroyed ? result.destroy() : result;
};

const sendResult = async (
  { record }: GatewayRequest,
  response: ServerResponse,
  result: Readable,
): Promise<void> => {
  const { cookies = [], ...head } = await readMetadata(result);
  response.setHeader('Set-Cookie', cookies);
  const { statusCode } = writeProxyHead(response, head);
  if (Number(statusCode) >= 400) {
    endResponse(response, record, await text(result));
  } else {
    await pipeline(result, response);
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

/** Prints why a response was cut, unless its client has disconnected. */
const reportCut = (error: Error | null): void => {
  if (error?.name === 'AbortError') {
    printFailure('The response was cut: it took too long.');
  } else if (error?.name === 'FunctionError') {
    printFailure(`The response was cut: ${error.message}`);
  }
};
