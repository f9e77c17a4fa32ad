import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on 127.0.0.1 only, so that no other machine can connect. Port 0 picks a free port. */
export const listen = async (server: Server, wanted = 0) => {
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Host and port. */
    address: `127.0.0.1:${port}`,
    /** Stops listening and cuts open connections. */
    close: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Serves programs on this machine and rejects web pages that are open on it: their browser adds an
 * Origin or, for an image, only a Sec-Fetch-Site header, and names a domain that resolves to this
 * machine in the Host header.
 */
export const forPrograms =
  (listener: RequestListener): RequestListener =>
  (message, response) => {
    const { origin, 'sec-fetch-site': site, host = '' } = message.headers;
    if (origin === undefined && site === undefined && loopback.test(host)) {
      listener(message, response);
    } else {
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end('{"message":"Only programs on this machine may use this."}');
    }
  };
