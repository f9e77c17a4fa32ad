import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { printFailure } from '../log/print.ts';
import { onLoopback } from '../shared/local-server.ts';

/** API Gateway's own limit, in bytes. */
const maxHeaderSize = 10_240;

/**
 * Creates the server for clients, with the limits of API Gateway where Node's are others. Its key is
 * known to everybody, so no web page may reach it under a name of its own.
 */
export const clientServer = (listener: RequestListener): Server => {
  const limits = {
    maxHeaderSize,
    requestTimeout: 30_000,
    // None. On a busy machine, it would cut off requests that have arrived but are not read yet.
    keepAliveTimeout: 0,
  };
  return createServer(limits, onLoopback(listener)).on('clientError', refuse);
};

/** What the client and the log are told of what is no request, by Node's code of the error. */
const refusals: Record<string, { status: number; code: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    message: `The headers have more than ${maxHeaderSize} bytes.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    message: 'The request has not arrived within 30 seconds.',
  },
};

/** Refuses what Node cannot read, and so never reaches the gateway. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = refusals[error.code ?? ''] ?? {
    status: 400,
    code: 'no_request',
    message: `This is no request that Node can read: ${error.message}.`,
  };
  const { status, message } = refusal;
  printFailure(`${status}: ${message}`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `Connection: close\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(refusal)}`,
  );
};
