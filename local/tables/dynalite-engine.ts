import type { IncomingMessage, RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import db, { type Callback, type Store } from 'dynalite/db/index.js';
import { printFailure } from '../log/print.ts';
import { LocalRunError } from '../shared/local-run-error.ts';
import { forPrograms, listen } from '../shared/local-server.ts';
import { tablesDirectory } from './data-directory.ts';
import { dynalite } from './dynalite-with-transactions.ts';

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
    opening.push(open(store.db));
    respondToFailures(store.db);
    return store;
  };
  try {
    const path =
      dataDirectory === undefined ? undefined : tablesDirectory(dataDirectory, 'dynalite');
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
 * Opens a store. A run that was killed while it made a table, or changed or deleted one, has left it
 * in a state that lasts for a moment otherwise, and would last for ever: such a table is there.
 */
const open = async (store: Store['db']): Promise<void> => {
  const put = promisify(store.put);
  await store.open();
  for await (const [key, table] of store.iterator({ gt: 'table~', lt: 'table~\uffff' })) {
    if (table.TableStatus !== 'ACTIVE') {
      await put(key, { ...table, TableStatus: 'ACTIVE' });
    }
  }
};

/**
 * What dynalite responds if its store fails, where on its own it would end the process. With the
 * status 500, clients would take it for a moment's trouble, and try again.
 */
const failureMessage = 'The tables cannot be read or written. The log of petstore start says why.';
const failureResponse = Object.assign(new Error(failureMessage), {
  statusCode: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#StorageException',
    message: failureMessage,
  },
});

/**
 * Makes a store that fails, such as on a full disk, say so and respond. After a write that failed,
 * it refuses all others: what LevelDB appends to half a record could not be read back.
 */
const respondToFailures = (store: Store['db']): void => {
  let refusesWrites = false;
  const { get, put, del } = store;
  const write = (begin: (callback: Callback) => void, callback: Callback): void => {
    if (refusesWrites) {
      callback(failureResponse);
      return;
    }
    begin((error) => {
      if (error && !refusesWrites && !isClosed(error)) {
        refusesWrites = true;
        printFailure(
          `The tables cannot be written: ${error.message}. Every confirmed update is kept. Make ` +
            'room and restart; until then, nothing more is written.',
        );
      }
      callback(error && failureResponse);
    });
  };
  store.put = (key, value, callback) => write((done) => put(key, value, done), callback);
  store.del = (key, callback) => write((done) => del(key, done), callback);
  store.get = (key, callback) =>
    get(key, (error, value) => {
      // The local run may have ended meanwhile. A scan, for which this is the table, would then throw.
      const isRead = error === null && store.status === 'open';
      callback(isRead ? null : failureResponse, value);
    });
};

/** Whether a write failed only because the local run is ending. */
const isClosed = ({ message }: Error): boolean => message === 'Database is closed';

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
