// What the local run needs of dynalite that it does not do on its own; where its tables are kept;
// and which other engines may take its place.
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { CreateTableCommandInput, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import db, { type Callback, type Store } from 'dynalite/db/index.js';
import type { Template } from '../../../infra/assembly/template.ts';
import { checkEngine } from '../../../local/tables/check-engine.ts';
import { localDynamodb, untilTableExists } from '../../../local/tables/local-dynamodb.ts';
import { createTables, startEngine } from '../../../local/tables/tables.ts';
import {
  dynamodbProxy,
  type Passing,
  type Reaction,
} from '../../support/dynamodb/dynamodb-proxy.ts';
import { serve } from '../../support/http/serve.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { until } from '../../support/process/until.ts';

let printed: jest.Spied<typeof console.error>;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

const table: Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'> = {
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
    put: (id: string) => client.putItem({ TableName: 'pets', Item: { id: { S: id } } }),
    transact: (TransactItems: TransactWriteItem[], ClientRequestToken?: string) =>
      client.transactWriteItems({ TransactItems, ClientRequestToken }),
    remove: (id: string) => client.deleteItem({ TableName: 'pets', Key: { id: { S: id } } }),
    ids: async () => {
      const { Items = [] } = await client.scan({ TableName: 'pets' });
      return Items.map(({ id }) => id?.S).sort();
    },
    close,
  };
};

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
    const ConditionCheck = { TableName: 'pets', Key: Put.Item, ConditionExpression: 'id = id' };
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

  test('has its token for ten minutes', async () => {
    const { transact } = await startPets();
    const Key = { id: { S: 'a' } };
    const ConditionCheck = { TableName: 'pets', Key, ConditionExpression: 'id = id' };
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

const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'petstore-data-'));

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

describe('a data directory', () => {
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

  test.each([
    {
      what: 'another run is using',
      make: async () => {
        const directory = newDirectory();
        await startPets(directory);
        return directory;
      },
      reason: 'another run is using it',
    },
    // Node's own recursion never ends here.
    { what: 'cannot be made', make: () => '/proc/a/b', reason: "ENOENT: .* '/proc/a'" },
    {
      what: 'holds damaged tables',
      make: () => {
        const directory = newDirectory();
        mkdirSync(join(directory, 'petstore-tables'));
        writeFileSync(join(directory, 'petstore-tables/CURRENT'), 'MANIFEST-9\n');
        return directory;
      },
      reason: '.+',
    },
    // test/ops/start/start-command.test.ts has one that is a file.
  ])('that $what is an error that names it', async ({ make, reason }) => {
    const directory = await make();
    const message = expect.stringMatching(
      `^${RegExp.escape(directory)} cannot be used: ${reason}\\.$`,
    );
    await expect(startPets(directory)).rejects.toMatchObject({ name: 'LocalRunError', message });
  });
});

/** Starts dynalite, and in front of it an engine that differs from it. */
const startAnother = async (spoil: (passing: Passing) => Promise<Reaction>) => {
  const { endpoint, close } = await startEngine({});
  atEnd(close);
  const operations: string[] = [];
  const proxy = await dynamodbProxy(endpoint, async (passing) => {
    const answer = await spoil(passing);
    operations.push(passing.operation);
    return answer;
  });
  atEnd(proxy.close);
  /** Waits until all that was made has been removed: a table is gone a moment after it is deleted. */
  const isLeftAsItWas = async (): Promise<void> => {
    expect(operations.at(-1)).toBe('DeleteTable');
    const client = await createTables(templateOf(), endpoint);
    atEnd(() => client.destroy());
    await until('no table', async () => (await client.listTables()).TableNames?.length === 0);
  };
  return { url: proxy.endpoint, isLeftAsItWas };
};

const withNewToken = ({ body, forward }: Passing) => {
  if (body.ClientRequestToken) {
    body.ClientRequestToken = crypto.randomUUID();
  }
  return forward();
};

const seen = new Set<string>();
const withNewTokenIfRepeated = (passing: Passing) => {
  const request = JSON.stringify(passing.body);
  const isRepeated = seen.has(request);
  seen.add(request);
  return isRepeated ? withNewToken(passing) : passing.forward();
};

// test/ops/start/start-command.test.ts has a server that is no engine.
describe('another engine', () => {
  test.each<[what: string, spoil: (passing: Passing) => Promise<Reaction>]>([
    [
      'returns no old item',
      async ({ forward }) => {
        const { status, body } = await forward();
        for (const reason of body.CancellationReasons ?? []) {
          delete reason.Item;
        }
        return { status, body };
      },
    ],
    [
      'has no transactions',
      ({ headers, forward }) => {
        headers['x-amz-target'] = headers['x-amz-target']?.toString().replace('TransactWrite', '');
        return forward();
      },
    ],
  ])('that %s is refused, and left as it was', async (_what, spoil) => {
    const { url, isLeftAsItWas } = await startAnother(spoil);
    const reason = "it returns no item when a transaction's condition is false";
    await expect(checkEngine(url)).rejects.toMatchObject({
      name: 'LocalRunError',
      message: `${url} cannot be used as a DynamoDB engine: ${reason}.`,
    });
    await isLeftAsItWas();
  });

  test.each<[what: string, keepsTokens: boolean, spoil: (passing: Passing) => Promise<Reaction>]>([
    ['keeps tokens', true, ({ forward }) => forward()],
    ['ignores tokens', false, withNewToken],
    [
      'lets a token serve another transaction',
      false,
      async (passing) => {
        const answer = await passing.forward();
        const isMismatch = /Mismatch/.test(answer.body.__type);
        return isMismatch ? { status: 200, body: {} } : answer;
      },
    ],
    ['applies a repetition', false, withNewTokenIfRepeated],
  ])('that %s is used, and known to keep tokens: %s', async (_what, keepsTokens, spoil) => {
    const { url, isLeftAsItWas } = await startAnother(spoil);
    expect(await checkEngine(url)).toStrictEqual({ keepsTokens });
    await isLeftAsItWas();
  });
});

test.each(['use_fips_endpoint', 'use_dualstack_endpoint'])(
  'the tables work for a user whose profile has set %s',
  async (setting) => {
    const file = join(mkdtempSync(join(tmpdir(), 'aws-')), 'config');
    writeFileSync(file, `[default]\n${setting} = true\n`);
    const outside = process.env;
    process.env = { ...outside, AWS_CONFIG_FILE: file, [`AWS_${setting.toUpperCase()}`]: 'true' };
    try {
      const { put, ids } = await startPets();
      await put('a');
      expect(await ids()).toStrictEqual(['a']);
      const { url, isLeftAsItWas } = await startAnother(({ forward }) => forward());
      expect(await checkEngine(url)).toStrictEqual({ keepsTokens: true });
      await isLeftAsItWas();
    } finally {
      process.env = outside;
    }
  },
);

test('another engine whose table is never ready is an error in words', async () => {
  const { url } = await startAnother(async ({ operation, forward }) => {
    const { status, body } = await forward();
    if (operation === 'DescribeTable') {
      body.Table.TableStatus = 'CREATING';
    }
    return { status, body };
  });
  const client = localDynamodb(url);
  atEnd(() => client.destroy());
  await client.createTable({ ...table, TableName: 'pets', BillingMode: 'PAY_PER_REQUEST' });
  await expect(untilTableExists(client, 'pets', 0.1)).rejects.toMatchObject({
    name: 'LocalRunError',
    message: 'After 0.1 seconds, the table pets is CREATING.',
  });
});

test('another engine that does not answer is an error that says so', async () => {
  const real = ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] as const;
  jest.useFakeTimers({ doNotFake: [...real] });
  const url = await serve(() => {});
  let failure: unknown;
  checkEngine(url).catch((error) => {
    failure = error;
  });
  // Not a number of turns: what the SDK does before it waits takes real time.
  const deadline = performance.now() + 60_000;
  while (failure === undefined && performance.now() < deadline) {
    await jest.advanceTimersByTimeAsync(1_000);
    await nextTurn();
  }
  jest.useRealTimers();
  expect(failure).toMatchObject({
    name: 'LocalRunError',
    message: `${url} cannot be used as a DynamoDB engine: it does not answer.`,
  });
}, 70_000);
