import type { RequestListener } from 'node:http';

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
