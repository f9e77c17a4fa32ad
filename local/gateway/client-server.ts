import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { onLoopback, refusal } from '../shared/local-server.ts';

/** API Gateway's own limit, in bytes. */
const maxHeaderSize = 10_240;

/**
 * Creates the server for clients, with the limits of API Gateway where Node's are others. Its key is
 * known to everybody, so no web page may reach it under a name of its own.
 */
export const clientServer = (listener: RequestListener): Server => {
  const limits = {
    maxHeaderSize,
    // None. On a busy machine, it would cut off requests that have arrived but are not read yet.
    keepAliveTimeout: 0,
    // One without a name is refused like one with a wrong name, with a sentence.
    requireHostHeader: false,
  };
  return createServer(limits, onLoopback(listener)).on('clientError', refuse);
};

/** Refuses what Node cannot read, and so never reaches the gateway. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = problemOf(error);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `Connection: close\r\nContent-Type: application/json\r\n\r\n${refusal(status, message)}`,
  );
};

const problemOf = ({ code, message }: NodeJS.ErrnoException): [status: number, message: string] =>
  code === 'HPE_HEADER_OVERFLOW'
    ? [431, `The headers have more than ${maxHeaderSize} bytes.`]
    : [400, `This is no request that Node can read: ${message}.`];
