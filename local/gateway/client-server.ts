import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
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
  refuseOrHangUp(server);
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
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Refuses what is no request. While a request on the same connection has no response yet, as with a
 * body that is longer than its Content-Length, it hangs up instead: a 400 would stand in place of
 * that response, and an update that is applied would look refused.
 */
const refuseOrHangUp = (server: Server): void => {
  const lastResponse = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }, response) => lastResponse.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isUnderWay = lastResponse.get(socket)?.closed === false;
    if (isUnderWay || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = refusals[error.code ?? ''] ?? 400;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
  });
};
