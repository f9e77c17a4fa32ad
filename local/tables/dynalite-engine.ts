import type { IncomingMessage, RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import db, { type Store, type WriteCallback } from 'dynalite/db/index.js';
import { printFailure } from '../log/print.ts';
import { LocalRunError } from '../shared/local-run-error.ts';
import { forPrograms, listen } from '../shared/local-server.ts';
import { tablesDirectory } from './data-directory.ts';
import { dynalite } from './dynalite-with-old-items.ts';

/**
 * Starts the built-in engine, with its tables in a data directory or in memory.
 * @throws LocalRunError that says why the directory cannot be used
 */
export const startDynalite = async (dataDirectory?: string) => {
  const server = await openDynalite(dataDirectory);
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
const openDynalite = async (dataDirectory?: string) => {
  const { create } = db;
  const opening: Promise<void>[] = [];
  db.create = (options) => {
    const store = create(options);
    refuseAfterFailure(store.db);
    opening.push(store.db.open());
    return store;
  };
  try {
    const path = dataDirectory === undefined ? undefined : tablesDirectory(dataDirectory);
    const server = dynalite({ createTableMs: 0, path });
    await Promise.all(opening);
    return server;
  } catch (error) {
    const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const reason = cause.code === 'LEVEL_LOCKED' ? 'another run is using it' : cause.message;
    throw new LocalRunError(`${dataDirectory} cannot be used: ${reason}.`, { cause });
  } finally {
    db.create = create;
  }
};

/**
 * What dynalite responds to a write that fails. With the status 500, clients would take it for a
 * moment's trouble, and try again.
 */
const writeFailure = {
  statusCode: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#StorageException',
    message: 'The tables cannot be written. The log of petstore start says why.',
  },
};

/**
 * Makes a store respond to a write that fails, such as on a full disk, where dynalite would end the
 * process. From then on, it refuses every write: what LevelDB appends after half a record could not
 * be read back.
 */
const refuseAfterFailure = (store: Store['db']): void => {
  let hasFailed = false;
  const write = (begin: (callback: WriteCallback) => void, callback: WriteCallback): void => {
    if (hasFailed) {
      callback(writeFailure);
      return;
    }
    begin((error) => {
      if (error && !hasFailed) {
        hasFailed = true;
        printFailure(failureOf(error as Error));
      }
      callback(error && writeFailure);
    });
  };
  const { put, del } = store;
  store.put = (key, value, callback) => write((done) => put(key, value, done), callback);
  store.del = (key, callback) => write((done) => del(key, done), callback);
};

const failureOf = ({ message }: Error): string =>
  `The tables cannot be written: ${message}. All that was confirmed is kept. Make room, and start ` +
  'again: until then, nothing is written.';

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
