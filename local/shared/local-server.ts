import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
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

/** The names of this machine that nobody can own, so that no web page of another can have them. */
const ownNames =
  /^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){1,3}|\[::1\]|host\.docker\.internal)(:\d+)?$/i;

/**
 * Serves requests that name this machine in their Host header. A web page on a domain that resolves
 * to this machine names that domain.
 */
export const onLoopback =
  (listener: RequestListener): RequestListener =>
  (message, response) => {
    if (ownNames.test(message.headers.host ?? '')) {
      listener(message, response);
    } else {
      forbid(
        response,
        'This is served on this machine alone: name it localhost, *.localhost, 127.x, [::1] or ' +
          'host.docker.internal.',
      );
    }
  };

/**
 * Serves programs on this machine and rejects web pages that are open on it: their browser adds an
 * Origin or, for an image, only a Sec-Fetch-Site header.
 */
export const forPrograms = (listener: RequestListener): RequestListener =>
  onLoopback((message, response) => {
    const { origin, 'sec-fetch-site': site } = message.headers;
    if (origin === undefined && site === undefined) {
      listener(message, response);
    } else {
      forbid(response, 'Only programs on this machine may use this.');
    }
  });

const forbid = (response: ServerResponse, message: string): void => {
  response.writeHead(403, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ code: 'forbidden', message, status: 403 }));
};
