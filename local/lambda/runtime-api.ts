import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { forPrograms } from '../shared/local-programs.ts';
import { FunctionError } from './function-error.ts';

export interface Invocation {
  requestId: string;
  functionArn: string;
  /** When the function is out of time, in milliseconds since 1970. */
  deadline: number;
  /** JSON */
  event: string;
}

/** Lambda's Runtime API for one instance: where its runtime client asks for invocations and sends results. */
export interface RuntimeApi {
  /** Host and port. */
  address: string;
  /**
   * Waits until the instance asks for its next invocation.
   * @throws FunctionError it failed at init, or its process ended
   */
  idle(): Promise<void>;
  /**
   * Hands an invocation to the idle instance and waits for the first of its result. The stream ends with an error if
   * the function fails while it streams. Its reader may destroy it: the function goes on, as on Lambda.
   * @throws FunctionError
   */
  invoke(invocation: Invocation): Promise<Readable>;
  /** Fails what is under way: the process has ended. */
  close(reason: FunctionError): void;
}

const prefix = '/2018-06-01/runtime/';

export const startRuntimeApi = async (): Promise<RuntimeApi> => {
  let idle = observed(Promise.withResolvers<void>());
  let next: ServerResponse | undefined;
  let invocation: { path: string; result: PromiseWithResolvers<Readable> } | undefined;

  /** Of a streamed result that fails, the last may come after the instance has asked for its next invocation. */
  const over = () => {
    if (next && !invocation) {
      idle.resolve();
    }
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.slice(prefix.length);
    if (path === 'invocation/next') {
      next = response;
      over();
      return;
    }
    if (path === 'init/error') {
      idle.reject(errorOf(await text(request)));
    } else if (path === `${invocation?.path}/error`) {
      invocation?.result.reject(errorOf(await text(request)));
    } else if (path === `${invocation?.path}/response`) {
      invocation?.result.resolve(bodyOf(request));
      await once(request, 'close');
    } else {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(202).end();
    invocation = undefined;
    over();
  };

  // A streamed result may take minutes, and an instance is idle for as long as it likes.
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 0 },
    forPrograms((request, response) => {
      // The process has ended in the middle of what it sent: close() says so.
      receive(request, response).catch(() => {});
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    idle: () => idle.promise,
    invoke: ({ requestId, functionArn, deadline, event }) => {
      invocation = { path: `invocation/${requestId}`, result: Promise.withResolvers() };
      idle = observed(Promise.withResolvers());
      next?.writeHead(200, {
        'Content-Type': 'application/json',
        'Lambda-Runtime-Aws-Request-Id': requestId,
        'Lambda-Runtime-Deadline-Ms': deadline,
        'Lambda-Runtime-Invoked-Function-Arn': functionArn,
      });
      next?.end(event);
      next = undefined;
      return invocation.result.promise;
    },
    close: (reason) => {
      idle.reject(reason);
      invocation?.result.reject(reason);
      server.close();
      server.closeAllConnections();
    },
  };
};

/** Nobody need be waiting for a promise that rejects. */
const observed = <T>(resolvers: PromiseWithResolvers<T>): PromiseWithResolvers<T> => {
  resolvers.promise.catch(() => {});
  return resolvers;
};

const errorOf = (body: string): FunctionError =>
  new FunctionError((JSON.parse(body) as { errorMessage: string }).errorMessage);

/** The body of a request as a stream of its own. When that is destroyed, the rest is read all the same: cutting it would end the instance. */
const bodyOf = (request: IncomingMessage): Readable => {
  const body = new Readable({
    read: () => void request.resume(),
    destroy: (error, callback) => {
      request.resume();
      callback(error);
    },
  });
  body.on('error', () => {});
  request.on('data', (chunk) => {
    if (!body.destroyed && !body.push(chunk)) {
      request.pause();
    }
  });
  request.on('end', () => {
    const error = request.trailers['lambda-runtime-function-error-body'];
    if (error === undefined) {
      body.push(null);
    } else {
      body.destroy(errorOf(String(Buffer.from(error, 'base64'))));
    }
  });
  request.on('close', () => {
    if (!request.complete) {
      body.destroy(new FunctionError('The function ended before its response did.'));
    }
  });
  return body;
};
