import { Writable } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { RecordedContext } from '../../../functions/observability/request-log.ts';
import { attemptTimeout } from '../../../functions/shared/time-limits.ts';
import { errors } from '../http/rejections.ts';

const { setTimeout } = globalThis;
/** The longest that Node's timers can wait, 24 days. */
const never = 2 ** 31 - 1;

/**
 * An attempt at DynamoDB takes as long as it likes, unless a test ends it: a busy machine may stand
 * still for longer than its time limit.
 */
globalThis.setTimeout = ((run: () => void, delay?: number, ...args: []) =>
  setTimeout(run, delay === attemptTimeout ? never : delay, ...args)) as typeof setTimeout;

/** What `jest.useFakeTimers` is to leave as it is, so that it sets only the date. */
export const onlyDates = {
  doNotFake: [
    ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
    ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
    ...(['setTimeout', 'clearTimeout'] as const),
  ],
};

/**
 * Gives this process the variables and globals that a function has on Lambda. Call it before
 * loading a function.
 */
export const setEnvironment = (environment: Record<string, string> = {}): void => {
  Object.assign(process.env, {
    STAGE_NAME: 'staging',
    AWS_LAMBDA_FUNCTION_NAME: 'function',
    AWS_LAMBDA_FUNCTION_VERSION: '7',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    ...environment,
  });
  Object.assign(globalThis, { awslambda });
  Object.defineProperty(Error, Symbol.hasInstance, { value: isInstance, configurable: true });
};

/** In Jest, Node's own errors are of another Error than that of the code, as they are not on Lambda. */
function isInstance(this: unknown, value: unknown): boolean {
  const isOf = Function.prototype[Symbol.hasInstance].call(this, value);
  return isOf || (this === Error && isNativeError(value));
}

const from = (stream: ResponseStream, metadata: ResponseStream['metadata']) =>
  Object.assign(stream, { metadata });
const awslambda = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: { from },
};

/** The response stream that Lambda's runtime gives a function, which must never destroy it. */
export class ResponseStream extends Writable {
  metadata: { statusCode: number; headers: Record<string, string> } | undefined;
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, written: () => void): void {
    this.chunks.push(chunk);
    written();
  }

  /** The body so far, decompressed. */
  get text(): string {
    const bytes = Buffer.concat(this.chunks);
    return String(
      this.metadata?.headers['Content-Encoding'] === 'gzip' ? gunzipSync(bytes) : bytes,
    );
  }
}

/**
 * Returns the context of an invocation that has this many milliseconds left, however long it takes.
 * Its record is made by the function.
 */
export const contextWith = (milliseconds: number) =>
  ({ getRemainingTimeInMillis: () => milliseconds }) as RecordedContext;

/** Calls a streaming function as Lambda's runtime does. */
export const stream = (
  handler: unknown,
  event: object,
  milliseconds: number,
  response = new ResponseStream(),
) => {
  type StreamingHandler = (
    event: object,
    response: ResponseStream,
    context: RecordedContext,
  ) => Promise<void>;
  return {
    response,
    ended: (handler as StreamingHandler)(event, response, contextWith(milliseconds)),
  };
};

/** Returns an API Gateway event with these parts; its ids and key are always the same. */
export const eventOf = (
  parts: { headers?: Record<string, string[]>; petId?: string; body?: string | null } = {},
): APIGatewayProxyEvent => {
  const { headers: multiValueHeaders = {}, petId, body = null } = parts;
  const requestContext = {
    requestId: 'request-1',
    extendedRequestId: 'extended-1',
    authorizer: { keyId: 'key-1', access: 'write' },
  };
  const pathParameters = petId === undefined ? null : { petId };
  return {
    requestContext,
    multiValueHeaders,
    pathParameters,
    body,
    isBase64Encoded: false,
  } as never;
};

export const patchEvent = (
  petId: string,
  body: string,
  headers: Record<string, string[]> = {},
): APIGatewayProxyEvent =>
  eventOf({ petId, body, headers: { 'Content-Type': ['application/json'], ...headers } });

/** Returns an Error response as a proxy result. */
export const errorResult = (
  status: number,
  code: string,
  message: string,
  headers = {},
): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify({ code, message, status }),
});

export const internalError = errorResult(...errors.internal);
export const unavailable = errorResult(...errors.unavailable, { 'Retry-After': '1' });
export const timedOut = errorResult(...errors.timeout);
