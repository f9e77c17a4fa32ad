import { once } from 'node:events';
import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { printFailure } from '../log/print.ts';

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
    const { host = '' } = message.headers;
    if (ownNames.test(host)) {
      listener(message, response);
    } else {
      forbid(
        response,
        `The Host "${host}" is refused: this run answers only to localhost, *.localhost, 127.x, ` +
          '[::1] and host.docker.internal.',
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
  response.statusCode = 403;
  response.setHeader('Content-Type', 'application/json').end(refusal(403, message));
};

/**
 * Returns the body of a response to what never reaches the gateway, an error in the form of the API's
 * own. Its code is the name of the status, such as `forbidden`. Prints a line of the log.
 */
export const refusal = (status: number, message: string): string => {
  printFailure(`${status}: ${message}`);
  const name = STATUS_CODES[status] ?? '';
  return JSON.stringify({ code: name.toLowerCase().replaceAll(' ', '_'), message, status });
};
