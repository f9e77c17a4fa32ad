import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on this machine alone; port 0 picks a free one. */
export const listen = async (server: Server, port = 0) => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Host and port. */
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Cuts open connections. */
    close: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Serves programs on this machine alone. A web page that is open here can send requests too: its browser adds an Origin
 * or, if the page's own domain has been pointed here, names that domain as the Host.
 */
export const forPrograms =
  (listener: RequestListener): RequestListener =>
  (message, response) => {
    const { origin, host = '' } = message.headers;
    if (origin === undefined && loopback.test(host)) {
      listener(message, response);
    } else {
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end('{"message":"Only programs on this machine may use this."}');
    }
  };
