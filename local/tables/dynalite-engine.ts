import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import dynalite from 'dynalite';
import { Level } from 'level';
import { forPrograms, listen } from '../shared/local-server.ts';

/** By level: Node's recursion never ends where the system says that a parent is missing. Other runs may do the same. */
const makeDirectory = async (path: string): Promise<void> => {
  if (!existsSync(path)) {
    await makeDirectory(dirname(path));
    await mkdir(path).catch((error) => existsSync(path) || Promise.reject(error));
  }
};

/** Open until the process ends: what nobody refers to would be closed. */
const held: Level[] = [];

/**
 * Takes a data directory for this process, creating it if need be. dynalite, which opens its store later, would end the
 * process if another run has it or if it is none. So it is opened once before, and another within it stays open.
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

  // dynalite ends the process if a client leaves while it sends, or if the store is closed while a request is worked on.
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
    listener(Object.assign(Readable.from([body]), { method, url, headers }) as unknown as IncomingMessage, response);
  };
  // By itself it lets every web page in.
  server.off('request', listener).on('request', forPrograms(work));
  // Closing idle connections would, on a busy machine, cut off requests that have come and are not read yet.
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
