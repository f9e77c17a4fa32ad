import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Creates the server for clients, with the limits of API Gateway where Node's are others. */
export const clientServer = (listener: RequestListener): Server => {
  const limits = {
    maxHeaderSize: 10_240,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    // None. On a busy machine, it would cut off requests that have arrived but are not read yet.
    keepAliveTimeout: 0,
  };
  const server = createServer(limits, (message, response) => {
    toOriginForm(message);
    listener(message, response);
  });
  refuseAfterAnswers(server);
  // A client that has sent its request and shuts down that half of its connection still gets the
  // response. Node's types do not declare this property.
  return Object.assign(server, { httpAllowHalfOpen: true });
};

/**
 * Turns a request target with a scheme and host (RFC 9112, 3.2.2) into its path and query. Its host
 * counts instead of the Host header's.
 */
const toOriginForm = (message: IncomingMessage): void => {
  const [, host, target = ''] = /^https?:\/\/([^/?]+)(.*)$/is.exec(message.url ?? '') ?? [];
  if (host !== undefined) {
    message.headers.host = host;
    message.url = target.startsWith('/') ? target : `/${target}`;
  }
};

/** The status for what is no request, by Node's code of the error; 400 for all others. */
const refusals: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Refuses what is no request, such as the rest of a body that is longer than its Content-Length, once
 * the requests before it are answered. Node alone would send the 400 in place of these answers, and
 * an update that is applied would look refused.
 */
const refuseAfterAnswers = (server: Server): void => {
  const underWay = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on('connection', (socket) => underWay.set(socket, new Set()));
  server.prependListener('request', ({ socket }, response) => {
    underWay.get(socket)?.add(response);
    response.once('close', () => underWay.get(socket)?.delete(response));
  });
  server.on('clientError', async (error: NodeJS.ErrnoException, socket: Socket) => {
    const responses = [...(underWay.get(socket) ?? [])];
    const whole = responses.filter(({ req }) => req.complete);
    await Promise.all(
      whole.map((response) => new Promise((resolve) => response.once('close', resolve))),
    );
    const hasBegun = responses.some(
      (response) => !whole.includes(response) && response.headersSent,
    );
    if (socket.writable && !hasBegun) {
      const status = refusals[error.code ?? ''] ?? 400;
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    }
    socket.destroySoon();
  });
};
