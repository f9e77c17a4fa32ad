/**
 * The process of one function instance, as Lambda's Node runtime would run it: loads the handler that
 * the environment names, then answers invocations, one at a time, over HTTP on a loopback port that it
 * sends to its parent. The body of a request is the event; the body of the answer is the result, or
 * the error when `X-Amz-Function-Error` is set. A result that is streamed and fails breaks off. After each
 * invocation the parent is sent a message.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Context, Handler, StreamifyHandler } from 'aws-lambda';
import { awslambda, isStreamified } from './response-stream.ts';

const { env } = process;

const loadHandler = (): Handler | StreamifyHandler => {
  const [file = '', name = ''] = (env._HANDLER ?? '').split('.');
  const handler = createRequire(import.meta.url)(join(env.LAMBDA_TASK_ROOT ?? '', file))[name];
  if (typeof handler !== 'function') {
    throw new TypeError(`${env._HANDLER} is not a function`);
  }
  if (handler.length > 2 && !isStreamified(handler)) {
    throw new TypeError('Callback-style handlers are not supported from nodejs24.x on.');
  }
  return handler;
};

const contextOf = (request: IncomingMessage): Context => ({
  awsRequestId: String(request.headers['lambda-runtime-aws-request-id']),
  getRemainingTimeInMillis: () => Number(request.headers['lambda-runtime-deadline-ms']) - Date.now(),
  functionName: env.AWS_LAMBDA_FUNCTION_NAME ?? '',
  functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION ?? '',
  memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? '',
  logGroupName: '',
  logStreamName: '',
  invokedFunctionArn: String(request.headers['lambda-runtime-invoked-function-arn']),
  callbackWaitsForEmptyEventLoop: true,
  done: () => {},
  fail: () => {},
  succeed: () => {},
});

const stream = async (handler: StreamifyHandler, event: unknown, context: Context, response: ServerResponse) => {
  await handler(event, response as never, context);
  if (!response.writableFinished) {
    throw new Error('Response stream is not finished.');
  }
};

const fail = (response: ServerResponse, error: unknown) => {
  console.error('Invoke Error', error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  response.setHeader('X-Amz-Function-Error', 'Unhandled');
  response.end(JSON.stringify({ errorType: name, errorMessage: message }));
};

const report = (requestId: string, started: number) => {
  const duration = (performance.now() - started).toFixed(2);
  const memory = Math.ceil(process.resourceUsage().maxRSS / 1024);
  console.error(`REPORT RequestId: ${requestId}\tDuration: ${duration} ms\tMax Memory Used: ${memory} MB`);
};

const invoke = async (handler: Handler | StreamifyHandler, request: IncomingMessage, response: ServerResponse) => {
  const started = performance.now();
  const context = contextOf(request);
  try {
    const event = JSON.parse(await text(request));
    if (isStreamified(handler)) {
      await stream(handler as StreamifyHandler, event, context, response);
    } else {
      const result = await (handler as Handler)(event, context, () => {});
      response.end(JSON.stringify(result ?? null));
    }
  } catch (error) {
    fail(response, error);
  }
  report(context.awsRequestId, started);
  process.send?.('done');
};

// Ctrl-C in a terminal reaches every process; the parent decides when this one ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());

Object.assign(globalThis, { awslambda });
const handler = loadHandler();
const server = createServer((request, response) => void invoke(handler, request, response));
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
