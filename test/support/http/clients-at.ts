import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { atEnd } from '../process/at-end.ts';

/** Lets all clients of this file's servers seem to have an address, as on another machine. */
export const clientsAt = (address: string): void => {
  const requests = channel('http.server.request.start');
  const move = (request: unknown) => {
    const { socket } = request as { socket: Socket };
    Object.defineProperty(socket, 'remoteAddress', { value: address, configurable: true });
  };
  requests.subscribe(move);
  atEnd(() => requests.unsubscribe(move));
};
