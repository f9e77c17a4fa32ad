import { type IncomingMessage, type RequestListener, Server } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import dynalite from 'dynalite';
import db, { type Store } from 'dynalite/db/index.js';
import { forPrograms, listen } from '../shared/local-server.ts';
import { withTransactions } from './dynalite-transactions.ts';

/** Starts the built-in engine, with its tables in memory. */
export const startDynalite = async () => {
  const { server, store } = newDynalite();
  const [plain] = server.listeners('request') as [RequestListener];
  const listener = withTransactions(plain, store);
  // On its own, dynalite accepts requests from every web page.
  server.off('request', plain).on('request', forPrograms(withWholeBody(listener)));
  // No keep-alive timeout: on a busy machine, it would cut off requests that have arrived but are
  // not read yet.
  server.keepAliveTimeout = 0;
  // dynalite's own also closes the store, and a request that is under way would then end the process.
  server.close = Server.prototype.close;
  const { address, close } = await listen(server);
  return { endpoint: `http://${address}`, close };
};

/** Creates dynalite's server, and finds its store, which it keeps to itself. */
const newDynalite = () => {
  const { create } = db;
  const stores: Store[] = [];
  db.create = (options) => {
    const store = create(options);
    stores.push(store);
    return store;
  };
  const server = dynalite({ createTableMs: 0 });
  db.create = create;
  return { server, store: stores[0] as Store };
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
