import { addAbortSignal, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { type ApiResponse, GatewayResponseError } from './gateway-response.ts';
import { proxyEvent } from './proxy-event.ts';
import type { Integration } from './route.ts';

/** The separator between the metadata and the payload of a streamed result. */
export const metadataEnd = Buffer.alloc(8);

interface ProxyResult {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
}

/** The buffered AWS_PROXY integration. */
export const lambdaProxy =
  (lambda: LambdaFunction, timeoutMs: number): Integration =>
  async (request) => {
    const event = proxyEvent(request);
    const result = (await withTimeout(lambda.invoke(event), timeoutMs)) as ProxyResult;
    return responseOf(result, result.body ?? '');
  };

/** The AWS_PROXY integration with the response transfer mode STREAM. */
export const lambdaStreamingProxy =
  (lambda: LambdaFunction, timeoutMs: number): Integration =>
  async (request) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const begin = async () => {
      const stream = await lambda.invokeStreaming(proxyEvent(request));
      addAbortSignal(timeout, stream);
      const result = await readMetadata(stream);
      // The gateway logs the code of an error, so it needs the whole of it.
      return responseOf(result, result.statusCode < 400 ? stream : await text(stream));
    };
    return withTimeout(begin(), timeoutMs);
  };

/**
 * Waits for the result of an invocation.
 * @throws GatewayResponseError the response to send if the invocation fails or times out
 */
const withTimeout = <Result>(invocation: Promise<Result>, timeoutMs: number): Promise<Result> => {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const fail = (type: 'INTEGRATION_TIMEOUT' | 'DEFAULT_5XX') => (cause?: unknown) =>
    reject(new GatewayResponseError(type, { cause }));
  const timer = setTimeout(fail('INTEGRATION_TIMEOUT'), timeoutMs);
  // A timer left running would keep the result in memory.
  invocation.then(resolve, fail('DEFAULT_5XX')).finally(() => clearTimeout(timer));
  return promise;
};

/** Reads the metadata of a streamed result, and leaves the payload in the stream. */
const readMetadata = async (stream: Readable): Promise<ProxyResult> => {
  let read = Buffer.alloc(0);
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf(metadataEnd);
    if (end >= 0) {
      stream.unshift(read.subarray(end + metadataEnd.length));
      return JSON.parse(read.toString('utf8', 0, end));
    }
  }
  throw new Error('The result holds no metadata.');
};

const responseOf = (
  { statusCode, headers }: ProxyResult,
  body: ApiResponse['body'],
): ApiResponse => {
  const common = { 'Content-Type': 'application/json' };
  return { status: statusCode, headers: { ...common, ...headers }, body };
};
