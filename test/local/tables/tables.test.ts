import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import db from 'dynalite/db/index.js';
import type { Template } from '../../../infra/assembly/template.ts';
import { checkEngine } from '../../../local/tables/check-engine.ts';
import { createTables, startEngine } from '../../../local/tables/tables.ts';
import { dynamodbProxy } from '../../support/dynamodb/dynamodb-proxy.ts';
import { serve } from '../../support/http/serve.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { until } from '../../support/process/until.ts';

const table = {
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
};
const templateOf = (...names: string[]) =>
  ({ resources: () => new Map(names.map((name) => [name, table])) }) as unknown as Template;

/**
 * Starts the built-in engine with one table, in memory or in a directory, until the test file ends
 * if it is not closed before.
 */
const startPets = async (dataDirectory?: string) => {
  const engine = await startEngine({ dataDirectory });
  const { endpoint } = engine;
  const client = await createTables(templateOf('pets'), endpoint);
  const close = async (): Promise<void> => {
    client.destroy();
    await engine.close();
  };
  atEnd(close);
  return {
    endpoint,
    client,
    put: (id: string) => client.putItem({ TableName: 'pets', Item: { id: { S: id } } }),
    ids: async () => {
      const { Items = [] } = await client.scan({ TableName: 'pets' });
      return Items.map(({ id }) => id?.S).sort();
    },
    close,
  };
};

afterEach(() => void jest.restoreAllMocks());

test('an engine gets the tables that it lacks, and keeps those that it has', async () => {
  const { endpoint, put, ids } = await startPets();
  await put('a');
  const client = await createTables(templateOf('pets', 'others'), endpoint);
  expect((await client.listTables()).TableNames).toStrictEqual(['others', 'pets']);
  expect(await ids()).toStrictEqual(['a']);
  client.destroy();
});

describe('the built-in engine', () => {
  test('can be closed while updates of one entry are waiting', async () => {
    const { put, close } = await startPets();
    const first = put('a');
    const others = Promise.allSettled(Array.from({ length: 50 }, () => put('a')));
    await first;
    // An error that dynalite throws meanwhile cannot be caught, and would fail this test.
    await expect(close()).resolves.toBeUndefined();
    await others;
  });

  test('outlives a client that leaves in the middle of a request', async () => {
    const { endpoint, put, ids } = await startPets();
    const { port, hostname } = new URL(endpoint);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"Table');
    // The engine has read that part once a later request has its response.
    await put('a');
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect(await ids()).toStrictEqual(['a']);
  });

  // On a busy machine, Node would cut off a request that arrives after five seconds without one.
  test('lets a connection be idle for as long as it likes', async () => {
    const timeouts = new Set<number>();
    const note = (message: unknown) =>
      void timeouts.add((message as { server: Server }).server.keepAliveTimeout);
    subscribe('http.server.request.start', note);
    await startPets();
    unsubscribe('http.server.request.start', note);
    expect([...timeouts]).toStrictEqual([0]);
  });

  // As DynamoDB does: the tests of If-Match run on both.
  test.each([
    { asked: 'ALL_OLD', returned: { id: { S: 'a' } } },
    { asked: 'NONE', returned: undefined },
    { asked: undefined, returned: undefined },
  ] as const)('returns the item of a failed update if asked for it: $asked', async (row) => {
    const { client, put } = await startPets();
    await put('a');
    const failing = client.updateItem({
      TableName: 'pets',
      Key: { id: { S: 'a' } },
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: row.asked,
    });
    const error = await failing.catch((cause) => cause);
    expect([error.name, error.Item]).toStrictEqual([
      'ConditionalCheckFailedException',
      row.returned,
    ]);
  });
});

// test/ops/start/start-command.system.ts fills a disk.
test('after a write that failed, the built-in engine refuses every other, says so once, and can be read', async () => {
  const printed = jest.spyOn(console, 'error').mockReturnValue();
  let isFull = false;
  const { create } = db;
  db.create = (options) => {
    const store = create(options);
    const { put } = store.db;
    store.db.put = (key, value, callback) =>
      isFull ? callback(new Error('disk full')) : put(key, value, callback);
    return store;
  };
  const { put, ids } = await startPets();
  db.create = create;
  const refused = { name: 'StorageException', $metadata: { httpStatusCode: 400 } };
  await put('a');
  isFull = true;
  await expect(put('b')).rejects.toMatchObject(refused);
  isFull = false;
  await expect(put('c')).rejects.toMatchObject(refused);
  expect(await ids()).toStrictEqual(['a']);
  expect(printed.mock.calls).toStrictEqual([
    [
      'The tables cannot be written: disk full. All that was confirmed is kept. Make room, and ' +
        'start again: until then, nothing is written.',
    ],
  ]);
});

test('the built-in engine says nothing of a write that the end of the run has overtaken', async () => {
  const printed = jest.spyOn(console, 'error').mockReturnValue();
  /** Makes the write that is held back, and calls a function with its error. */
  const held = Promise.withResolvers<(ended: (error: Error | null) => void) => void>();
  let isEnding = false;
  const { create } = db;
  db.create = (options) => {
    const store = create(options);
    const { put } = store.db;
    store.db.put = (key, value, callback) => {
      const write = (ended: (error: Error | null) => void) =>
        put(key, value, (error) => {
          callback(error);
          ended(error);
        });
      isEnding ? held.resolve(write) : write(() => {});
    };
    return store;
  };
  const { put, close } = await startPets();
  db.create = create;
  isEnding = true;
  put('a').catch(() => {});
  const write = await held.promise;
  await close();
  expect(await new Promise(write)).toStrictEqual(new Error('Database is closed'));
  expect(printed.mock.calls).toStrictEqual([]);
});

describe('a data directory', () => {
  const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'petstore-data-'));
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  test('is made with its parents, and closed to other users, as are tables of an earlier run', async () => {
    const directory = join(newDirectory(), 'a/b');
    const first = await startPets(directory);
    await first.put('a');
    await first.close();
    const tables = join(directory, 'petstore-tables');
    expect([modeOf(directory), modeOf(tables)]).toStrictEqual(['700', '700']);
    chmodSync(tables, 0o777);
    const second = await startPets(directory);
    expect([modeOf(tables), await second.ids()]).toStrictEqual(['700', ['a']]);
  });

  test('of other files keeps them as they are', async () => {
    const directory = newDirectory();
    chmodSync(directory, 0o755);
    for (const name of ['CURRENT', '000003.log', 'photo.jpg']) {
      writeFileSync(join(directory, name), name);
    }
    const { close } = await startPets(directory);
    await close();
    expect(readdirSync(directory).sort()).toStrictEqual([
      '000003.log',
      'CURRENT',
      'petstore-tables',
      'photo.jpg',
    ]);
    expect(modeOf(directory)).toBe('755');
  });

  test('is for one run at a time', async () => {
    const directory = newDirectory();
    const { close } = await startPets(directory);
    await expect(startPets(directory)).rejects.toMatchObject({
      name: 'LocalRunError',
      message: `${directory} cannot be used: another run is using it.`,
    });
    await close();
    await startPets(directory);
  });

  test.each([
    { what: 'is a file', path: () => join(newDirectory(), 'file'), reason: 'ENOTDIR: .*' },
    // Node's own recursion never ends here.
    { what: 'cannot be made', path: () => '/proc/a/b', reason: "ENOENT: .* '/proc/a'" },
  ])('that $what is an error that names it', async ({ path, reason }) => {
    const directory = path();
    if (directory.endsWith('file')) {
      writeFileSync(directory, '');
    }
    const message = expect.stringMatching(`^${directory} cannot be used: ${reason}\\.$`);
    await expect(startPets(directory)).rejects.toMatchObject({ name: 'LocalRunError', message });
  });

  test('whose store is damaged is an error that names it', async () => {
    const directory = newDirectory();
    mkdirSync(join(directory, 'petstore-tables'));
    writeFileSync(join(directory, 'petstore-tables/CURRENT'), 'MANIFEST-9\n');
    const message = expect.stringMatching(`^${directory} cannot be used: .+\\.$`);
    await expect(startPets(directory)).rejects.toMatchObject({ name: 'LocalRunError', message });
  });
});

describe('another engine', () => {
  /** Serves a DynamoDB that gives old items, or that does not. */
  const engine = async (change: (error: { Item?: unknown }) => void = () => {}) => {
    const { endpoint, close } = await startEngine({});
    atEnd(close);
    const proxy = await dynamodbProxy(endpoint, async ({ operation, forward }) => {
      const { status, body } = await forward();
      if (operation === 'UpdateItem') {
        change(body);
      }
      return { status, body };
    });
    atEnd(proxy.close);
    const client = await createTables(templateOf(), endpoint);
    atEnd(() => client.destroy());
    const isEmpty = async () => (await client.listTables()).TableNames?.length === 0;
    // A table is gone a moment after it has been deleted.
    return { url: proxy.endpoint, untilEmpty: () => until('no table', isEmpty, 3) };
  };

  test('that suits is left as it was', async () => {
    const { url, untilEmpty } = await engine();
    await expect(checkEngine(url)).resolves.toBeUndefined();
    await untilEmpty();
  });

  test('that returns no old item is refused, and left as it was', async () => {
    const { url, untilEmpty } = await engine((error) => delete error.Item);
    const message =
      `${url} cannot be used as an engine of DynamoDB: a failed condition does not return the ` +
      'item (ReturnValuesOnConditionCheckFailure), without which the service cannot tell a 412 ' +
      'from a 404.';
    await expect(checkEngine(url)).rejects.toMatchObject({ name: 'LocalRunError', message });
    await untilEmpty();
  });

  test.each([
    {
      what: 'is no engine of DynamoDB',
      url: () => serve((_message, response) => void response.writeHead(404).end('<html>')),
      reason: 'Unexpected token .*',
    },
    {
      what: 'cuts connections',
      url: () => serve((message) => void message.socket.destroy()),
      reason: '.*(socket hang up|ECONNRESET).*',
    },
  ])('that $what is an error that names its URL', async ({ url, reason }) => {
    const endpoint = await url();
    const message = expect.stringMatching(
      `^${endpoint} cannot be used as an engine of DynamoDB: ${reason}\\.$`,
    );
    await expect(checkEngine(endpoint)).rejects.toMatchObject({ name: 'LocalRunError', message });
  });
});

test('another engine that does not answer is an error that says so', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
  const url = await serve(() => {});
  let failure: unknown;
  checkEngine(url).catch((error) => {
    failure = error;
  });
  // Not a number of turns: what the SDK does before it waits takes real time.
  const deadline = performance.now() + 4_000;
  while (failure === undefined && performance.now() < deadline) {
    await jest.advanceTimersByTimeAsync(1_000);
    await nextTurn();
  }
  jest.useRealTimers();
  expect(failure).toMatchObject({
    name: 'LocalRunError',
    message: `${url} cannot be used as an engine of DynamoDB: it does not answer.`,
  });
});
