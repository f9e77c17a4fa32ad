import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';

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
