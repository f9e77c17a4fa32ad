import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { forPrograms, listen } from '../shared/local-server.ts';

const prefix = '/2018-06-01/runtime/';

interface Invocation {
  requestId: string;
  /** More headers for the runtime client, such as `Lambda-Runtime-Deadline-Ms`. */
  headers: OutgoingHttpHeaders;
  /** JSON. */
  event: string;
}

/**
 * Lambda's Runtime API for one instance: where its runtime client asks for invocations and sends
 * results.
 */
export interface RuntimeApi {
  /** Host and port. */
  address: string;
  /**
   * Waits until the instance asks for its next invocation.
   * @throws Error if the instance failed at init or its process ended
   */
  idle(): Promise<void>;
  /**
   * Hands an invocation to the idle instance and waits for the first byte of its result. The stream
   * fails if the function fails while it streams. The reader may destroy the stream; the function
   * goes on, as on Lambda.
   * @throws Error
   */
  invoke(invocation: Invocation): Promise<Readable>;
  /**
   * Rejects the init or invocation in flight and stops listening, because the process has ended.
   */
  close(reason: Error): void;
}

export const startRuntimeApi = async (): Promise<RuntimeApi> => {
  let idle = deferred<void>();
  /** The response to the runtime client's request for its next invocation. */
  let next: ServerResponse | undefined;
  let current: { path: string; result: PromiseWithResolvers<Readable> } | undefined;

  // The end of a result may arrive after the instance has asked for its next invocation.
  const checkIdle = () => {
    if (next && !current) {
      idle.resolve();
    }
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.slice(prefix.length);
    if (path === 'invocation/next') {
      next = response;
      checkIdle();
      return;
    }
    if (path === 'init/error') {
      idle.reject(errorOf(await text(request)));
    } else if (path === `${current?.path}/error`) {
      current?.result.reject(errorOf(await text(request)));
    } else if (path === `${current?.path}/response`) {
      current?.result.resolve(bodyOf(request));
      await once(request, 'close');
    } else {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(202).end();
    current = undefined;
    checkIdle();
  };

  // A streamed result may take minutes, and an instance may be idle for days.
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 0 },
    // A request fails only if the process ends while sending it. close() reports that.
    forPrograms((request, response) => void receive(request, response).catch(() => {})),
  );
  const { address, close } = await listen(server);

  return {
    address,
    idle: () => idle.promise,
    invoke: ({ requestId, headers, event }) => {
      current = { path: `invocation/${requestId}`, result: deferred() };
      idle = deferred();
      next?.writeHead(200, { 'Lambda-Runtime-Aws-Request-Id': requestId, ...headers }).end(event);
      next = undefined;
      return current.result.promise;
    },
    close: (reason) => {
      idle.reject(reason);
      current?.result.reject(reason);
      void close();
    },
  };
};

/** Returns the resolvers of a promise that may reject before anybody waits for it. */
const deferred = <Value>(): PromiseWithResolvers<Value> => {
  const resolvers = Promise.withResolvers<Value>();
  resolvers.promise.catch(() => {});
  return resolvers;
};

const errorOf = (body: string): Error =>
  new Error((JSON.parse(body) as { errorMessage: string }).errorMessage);

/**
 * Returns the body of a request as a stream, which fails with the error in the request's trailers,
 * if there is one.
 */
const bodyOf = (request: IncomingMessage): Readable => {
  const body = new PassThrough({
    flush: (callback) => {
      const error = request.trailers['lambda-runtime-function-error-body'];
      callback(error === undefined ? null : errorOf(Buffer.from(error, 'base64').toString()));
    },
  });
  request.pipe(body);
  request.on('close', () => {
    if (!request.complete) {
      body.destroy(new Error('The function ended before its result.'));
    }
  });
  body.on('error', () => {});
  // The rest of a destroyed body is still received, because cutting the connection would end the
  // instance.
  body.on('close', () => request.resume());
  return body;
};
