import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import db from 'dynalite/db/index.js';
import { forPrograms, listen } from '../shared/local-server.ts';
import { dynalite } from './dynalite-with-old-items.ts';

/**
 * Starts the built-in engine, with its tables in a directory or in memory.
 * @throws Error if the store in the directory cannot be used, or another run is using it
 */
export const startDynalite = async (dataDirectory: string | undefined) => {
  const server = await openDynalite(dataDirectory);
  const [listener] = server.listeners('request') as [RequestListener];
  const { guarded, finish } = guard(listener);
  // On its own, dynalite accepts requests from every web page.
  server.off('request', listener).on('request', forPrograms(guarded));
  // No keep-alive timeout: on a busy machine, it would cut off requests that have arrived but are
  // not read yet.
  server.keepAliveTimeout = 0;
  const { address, close } = await listen(server);
  return {
    endpoint: `http://${address}`,
    close: async () => {
      await finish();
      await close();
    },
  };
};

/**
 * Creates dynalite's server and waits until its store is open. On its own, dynalite would end the
 * process at the first request if the store does not open.
 */
const openDynalite = async (path: string | undefined): Promise<Server> => {
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
    const isLocked = cause.code === 'LEVEL_LOCKED';
    throw new Error(isLocked ? 'another run is using it.' : cause.message, { cause });
  } finally {
    db.create = create;
  }
};

/**
 * Hands on only what dynalite survives: it ends the process if a client disconnects while sending a
 * request, or if the store closes during one.
 */
const guard = (listener: RequestListener) => {
  let isClosing = false;
  const working = new Set<Promise<void>>();

  const guarded = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(message).catch(() => undefined);
    if (body === undefined || isClosing) {
      return;
    }
    const work = whenEnding(response);
    working.add(work);
    void work.then(() => working.delete(work));
    listener(withBody(message, body), response);
  };

  /** Drops requests that come from now on, and waits for the others. */
  const finish = async (): Promise<void> => {
    isClosing = true;
    await Promise.all(working);
  };
  return { guarded, finish };
};

/** Resolves when dynalite writes the end of a response, even if its client has disconnected. */
const whenEnding = (response: ServerResponse): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = response.end.bind(response);
  response.end = (text?: unknown) => {
    resolve();
    return end(text);
  };
  return promise;
};

/** Returns a request whose body has been read already. */
const withBody = ({ method, url, headers }: IncomingMessage, body: Buffer): IncomingMessage => {
  const request = Object.assign(Readable.from([body]), { method, url, headers });
  return request as unknown as IncomingMessage;
};
