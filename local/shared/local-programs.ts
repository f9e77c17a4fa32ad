import type { IncomingMessage, RequestListener } from 'node:http';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Whether a request comes from a program on this machine. A web page that is open here could send requests too: a
 * browser adds an Origin, or, if the page's own domain has been pointed here, names that domain as the Host.
 */
export const isFromProgram = ({ headers }: IncomingMessage): boolean =>
  headers.origin === undefined && loopback.test(headers.host ?? '');

/** Serves programs on this machine alone; everything else is a 403. */
export const forPrograms =
  (listener: RequestListener): RequestListener =>
  (message, response) => {
    if (isFromProgram(message)) {
      listener(message, response);
    } else {
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end('{"message":"Only programs on this machine may use this."}');
    }
  };
