import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import dynalite from 'dynalite';
import { Level } from 'level';
import { forPrograms, listen } from '../shared/local-server.ts';

/**
 * Creates a directory and its parents. Node's own recursion never ends where the system keeps
 * reporting ENOENT.
 */
const makeDirectory = async (path: string): Promise<void> => {
  if (!existsSync(path)) {
    await makeDirectory(dirname(path));
    await mkdir(path).catch((error) => existsSync(path) || Promise.reject(error)); // Another run may create it too.
  }
};

/**
 * Stores that stay open until the process ends. Without a reference, they would be
 * garbage-collected and closed.
 */
const held: Level[] = [];

/**
 * Locks a data directory for this process, and creates it if it is missing. dynalite ends the
 * process if another run uses its store or the store is invalid. So this opens and closes the store
 * first, and keeps another, in-use, open.
 */
export const takeDataDirectory = async (dataDirectory: string): Promise<void> => {
  const inUse = resolve(dataDirectory, 'in-use');
  await makeDirectory(inUse);
  const [mark, store] = [new Level(inUse), new Level(dataDirectory)];
  for (const level of [mark, store]) {
    await level.open().catch((error: Error) => {
      const cause = (error.cause ?? error) as Error & { code?: string };
      throw new Error(cause.code === 'LEVEL_LOCKED' ? 'another run is using it.' : cause.message);
    });
  }
  held.push(mark);
  await store.close();
};

/** Starts the built-in engine, with its tables in a directory or in memory. */
export const startDynalite = async (dataDirectory: string | undefined) => {
  const server = dynalite({ createTableMs: 0, ...(dataDirectory && { path: dataDirectory }) });
  const [listener] = server.listeners('request') as [RequestListener];

  // dynalite ends the process if a client disconnects while sending a request, or if the store
  // closes during one.
  let closing = false;
  const working = new Set<Promise<void>>();
  const work = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(message).catch(() => undefined);
    if (body === undefined || closing) {
      return;
    }
    const { promise, resolve: ended } = Promise.withResolvers<void>();
    working.add(promise.finally(() => working.delete(promise)));
    const end = response.end.bind(response);
    response.end = (text?: unknown) => {
      ended();
      return end(text);
    };
    const { method, url, headers } = message;
    listener(
      Object.assign(Readable.from([body]), { method, url, headers }) as unknown as IncomingMessage,
      response,
    );
  };
  // On its own, dynalite accepts requests from every web page.
  server.off('request', listener).on('request', forPrograms(work));
  // No keep-alive timeout: on a busy machine, it would cut off requests that have arrived but are
  // not read yet.
  server.keepAliveTimeout = 0;
  const { address, close } = await listen(server);
  return {
    endpoint: `http://${address}`,
    close: async () => {
      closing = true;
      await Promise.all(working);
      await close();
    },
  };
};
