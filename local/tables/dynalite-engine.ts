import { type IncomingMessage, type RequestListener, Server } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { forPrograms, listen } from '../shared/local-server.ts';
import { dynalite } from './dynalite-with-transactions.ts';

/** Starts the built-in engine, with its tables in memory. */
export const startDynalite = async () => {
  const server = dynalite({ createTableMs: 0 });
  const [listener] = server.listeners('request') as [RequestListener];
  // On its own, dynalite accepts requests from every web page.
  server.off('request', listener).on('request', forPrograms(withWholeBody(listener)));
  // No keep-alive timeout: on a busy machine, it would cut off requests that have arrived but are
  // not read yet.
  server.keepAliveTimeout = 0;
  // dynalite's own also closes the store, and a request that is under way would then end the process.
  server.close = Server.prototype.close;
  const { address, close } = await listen(server);
  return { endpoint: `http://${address}`, close };
};

/** Hands on requests that have arrived: dynalite ends the process if a client leaves before that. */
const withWholeBody =
  (listener: RequestListener): RequestListener =>
  async (message, response) => {
    const body = await buffer(message).catch(() => undefined);
    if (body !== undefined) {
      const { method, url, headers } = message;
      const whole = Object.assign(Readable.from([body]), { method, url, headers });
      listener(whole as unknown as IncomingMessage, response);
    }
  };
