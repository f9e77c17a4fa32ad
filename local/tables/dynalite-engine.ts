import type { IncomingMessage, RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import db from 'dynalite/db/index.js';
import { forPrograms, listen } from '../shared/local-server.ts';
import { dynalite } from './dynalite-with-old-items.ts';

/**
 * Starts the built-in engine, with its tables in a directory or in memory.
 * @throws Error if the store in the directory cannot be used, or another run is using it
 */
export const startDynalite = async (directory?: string) => {
  const server = await openDynalite(directory);
  const [listener] = server.listeners('request') as [RequestListener];
  // On its own, dynalite accepts requests from every web page.
  server.off('request', listener).on('request', forPrograms(withWholeBody(listener)));
  // No keep-alive timeout: on a busy machine, it would cut off requests that have arrived but are
  // not read yet.
  server.keepAliveTimeout = 0;
  const { address, close } = await listen(server);
  return { endpoint: `http://${address}`, close };
};

/**
 * Creates dynalite's server and waits until its store is open. On its own, dynalite would end the
 * process at the first request if the store does not open.
 */
const openDynalite = async (path?: string) => {
  const { create } = db;
  const opening: Promise<void>[] = [];
  db.create = (options) => {
    const store = create(options);
    opening.push(store.db.open());
    return store;
  };
  try {
    const server = dynalite({ createTableMs: 0, path });
    await Promise.all(opening);
    return server;
  } catch (error) {
    const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const reason = cause.code === 'LEVEL_LOCKED' ? 'another run is using it' : cause.message;
    const message = `${path} cannot be used: ${reason}.`;
    throw Object.assign(new Error(message, { cause }), { code: cause.code });
  } finally {
    db.create = create;
  }
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
