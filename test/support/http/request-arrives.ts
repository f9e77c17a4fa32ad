import { channel } from 'node:diagnostics_channel';
import type { Server } from 'node:http';

/** Waits until a server of this process gets a request, and returns the server. */
export const requestArrives = async (): Promise<Server> => {
  const requests = channel('http.server.request.start');
  const { promise, resolve } = Promise.withResolvers<unknown>();
  requests.subscribe(resolve);
  const { server } = (await promise) as { server: Server };
  requests.unsubscribe(resolve);
  return server;
};
