// What the local run needs of dynalite that dynalite does not do on its own.
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import db, { type Callback, type Store } from 'dynalite/db/index.js';
import { createTables } from '../../../local/tables/tables.ts';
import { newDirectory, startPets, table, templateOf } from '../../support/local/pets.ts';

let printed: jest.Spied<typeof console.error>;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

describe('the built-in engine', () => {
  test('can be closed while updates of one entry are waiting, and says nothing of them', async () => {
    const { put, close } = await startPets();
    const first = put('a');
    const others = Promise.allSettled(Array.from({ length: 50 }, () => put('a')));
    await first;
    // An error that dynalite throws meanwhile cannot be caught, and would fail this test.
    await expect(close()).resolves.toBeUndefined();
    await others;
    expect(printed.mock.calls).toStrictEqual([]);
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

  test('refuses transactions that the service does not send, and what is none', async () => {
    const { endpoint, ids, transact } = await startPets();
    const Put = { TableName: 'pets', Item: { id: { S: 'a' } } };
    const unknown = { name: 'UnknownOperationException' };
    await expect(transact([{ Put }])).rejects.toMatchObject(unknown);
    const ConditionExpression = 'attribute_not_exists(id)';
    const ConditionCheck = { TableName: 'pets', Key: Put.Item, ConditionExpression };
    await expect(transact([{ ConditionCheck }, { ConditionCheck }])).rejects.toMatchObject(unknown);
    const headers = { 'X-Amz-Target': 'DynamoDB_20120810.TransactWriteItems' };
    for (const body of ['{', 'null', '{"TransactItems":{}}', '{"TransactItems":[null]}']) {
      expect((await fetch(endpoint, { method: 'POST', headers, body })).status).toBe(400);
    }
    await transact([{ ConditionCheck }]);
    expect(await ids()).toStrictEqual([]);
  });

  // On a busy machine, Node would cut off a request that arrives after five seconds without one.
  test('lets a connection be idle for as long as it likes', async () => {
    const { endpoint } = await startPets();
    const { headers } = await fetch(endpoint);
    expect([headers.get('connection'), headers.get('keep-alive')]).toStrictEqual([
      'keep-alive',
      null,
    ]);
  });
});

describe('a transaction of the built-in engine', () => {
  test('is applied once if it arrives twice at the same time', async () => {
    const { ids, transact } = await startPets();
    const Update = {
      TableName: 'pets',
      Key: { id: { S: 'a' } },
      UpdateExpression: 'SET n = :n',
      ConditionExpression: 'attribute_not_exists(id)',
      ExpressionAttributeValues: { ':n': { N: '1' } },
    };
    await Promise.all([transact([{ Update }], 'token'), transact([{ Update }], 'token')]);
    expect(await ids()).toStrictEqual(['a']);
  });

  test('only checks a condition, and has its token only if that is true', async () => {
    const { put, ids, transact } = await startPets();
    const Key = { id: { S: 'a' } };
    const check = (ConditionExpression: string) =>
      transact([{ ConditionCheck: { TableName: 'pets', Key, ConditionExpression } }], 'token');
    await expect(check('attribute_exists(id)')).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    });
    await check('attribute_not_exists(id)');
    expect(await ids()).toStrictEqual([]);
    await put('a');
    await check('attribute_not_exists(id)');
    await expect(check('attribute_exists(id)')).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
  });

  test('has its token for ten minutes', async () => {
    const { transact } = await startPets();
    const Key = { id: { S: 'a' } };
    const ConditionExpression = 'attribute_not_exists(id)';
    const ConditionCheck = { TableName: 'pets', Key, ConditionExpression };
    const UpdateExpression = 'SET changed = id';
    const update = () => transact([{ Update: { TableName: 'pets', Key, UpdateExpression } }], 'a');
    const start = Date.now();
    const now = jest.spyOn(Date, 'now').mockReturnValue(start);
    await transact([{ ConditionCheck }], 'a');
    now.mockReturnValue(start + 599_999);
    await expect(update()).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
    now.mockReturnValue(start + 600_000);
    await update();
  });
});

describe('the built-in engine, if a write fails,', () => {
  type Put = (callback: Callback) => void;
  /** The keys that the store has been asked to delete. */
  let deleted = 0;
  /** Starts the engine, and makes its writes in another way once `fail` is called. */
  const startFailing = async (instead: (put: Put, callback: Callback) => unknown) => {
    let fails = false;
    const { create } = db;
    jest.spyOn(db, 'create').mockImplementation((options) => {
      const store = create(options);
      const { put, del } = store.db;
      store.db.del = (key, callback) => {
        deleted += 1;
        del(key, callback);
      };
      store.db.put = (key, value, callback) => {
        const putIt: Put = (done) => put(key, value, done);
        fails ? instead(putIt, callback) : putIt(callback);
      };
      return store;
    });
    const setFailing = (now: boolean) => {
      fails = now;
    };
    return { ...(await startPets()), setFailing };
  };

  // test/ops/start/start-command.slow.ts fills a disk.
  test('refuses every other, says so once, and can be read', async () => {
    const full = (_put: Put, callback: Callback) => callback(new Error('disk full'));
    const { endpoint, put, remove, ids, setFailing } = await startFailing(full);
    const refused = { name: 'StorageException', $metadata: { httpStatusCode: 400 } };
    await put('a');
    setFailing(true);
    await expect(put('b')).rejects.toMatchObject(refused);
    setFailing(false);
    await expect(put('c')).rejects.toMatchObject(refused);
    await expect(createTables(templateOf('toys'), endpoint)).rejects.toMatchObject(refused);
    deleted = 0;
    await expect(remove('a')).rejects.toMatchObject(refused);
    expect(deleted).toBe(0);
    expect(await ids()).toStrictEqual(['a']);
    expect(printed.mock.calls).toStrictEqual([
      [
        'The tables cannot be written: disk full. Every confirmed update is kept. Make room and ' +
          'restart; until then, nothing more is written.',
      ],
    ]);
  });

  test('says nothing of one that the end of the run has overtaken', async () => {
    const error = Promise.withResolvers<Error | null>();
    const afterTheEnd = async (putIt: Put, callback: Callback) => {
      await close();
      putIt((cause) => {
        callback(cause);
        error.resolve(cause);
      });
    };
    const { put, close, setFailing } = await startFailing(afterTheEnd);
    setFailing(true);
    put('a').catch(() => {});
    expect(await error.promise).toStrictEqual(new Error('Database is closed'));
    expect(printed.mock.calls).toStrictEqual([]);
  });
});

test('a scan that the end of the run has overtaken ends no process', async () => {
  const { create } = db;
  let isEnding = false;
  const overtaken = Promise.withResolvers<void>();
  jest.spyOn(db, 'create').mockImplementation((options) => {
    const store = create(options);
    const { get } = store.db;
    store.db.get = (key, callback) =>
      get(key, (error, value) => {
        const respond = () => callback(error, value);
        isEnding ? overtaken.resolve(close().then(respond)) : respond();
      });
    return store;
  });
  const { ids, close } = await startPets();
  isEnding = true;
  ids().catch(() => {});
  await expect(overtaken.promise).resolves.toBeUndefined();
});

test.each(['CREATING', 'UPDATING', 'DELETING'])(
  'a data directory of a run that was killed while a table was %s has that table',
  async (TableStatus) => {
    const directory = newDirectory();
    const created = jest.spyOn(db, 'create');
    const first = await startPets(directory);
    await first.put('a');
    const [store] = created.mock.results.map(({ value }) => (value as Store).db) as [Store['db']];
    await promisify(store.put)('table~pets', { ...table, TableName: 'pets', TableStatus });
    await first.close();
    const second = await startPets(directory);
    expect(await second.ids()).toStrictEqual(['a']);
  },
);
