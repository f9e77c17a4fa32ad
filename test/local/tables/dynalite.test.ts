// What the local run needs of dynalite that dynalite does not do on its own.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { CreateTableCommandInput, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { describe, expect, jest, test } from '@jest/globals';
import type { Template } from '../../../local/assembly/template.ts';
import { createTables, startEngine } from '../../../local/tables/tables.ts';
import { atEnd } from '../../support/process/at-end.ts';

const pets: Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'> = {
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
};
/** A template of one table. */
const template = { resources: () => new Map([['pets', pets]]) } as unknown as Template;

/** Starts the built-in engine with one table, until the test file ends if it is not closed before. */
const startPets = async () => {
  const engine = await startEngine();
  const { endpoint } = engine;
  const client = await createTables(template, endpoint);
  const close = async (): Promise<void> => {
    client.destroy();
    await engine.close();
  };
  atEnd(close);
  return {
    endpoint,
    put: (id: string) => client.putItem({ TableName: 'pets', Item: { id: { S: id } } }),
    transact: (TransactItems: TransactWriteItem[]) => client.transactWriteItems({ TransactItems }),
    ids: async () => {
      const { Items = [] } = await client.scan({ TableName: 'pets' });
      return Items.map(({ id }) => id?.S).sort();
    },
    close,
  };
};

describe('the built-in engine', () => {
  test('can be closed while updates of one entry are waiting, and says nothing of them', async () => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const { put, close } = await startPets();
    const first = put('a');
    const others = Promise.allSettled(Array.from({ length: 50 }, () => put('a')));
    await first;
    // An error that dynalite throws meanwhile cannot be caught, and would fail this test.
    await expect(close()).resolves.toBeUndefined();
    await others;
    expect(printed.mock.calls).toStrictEqual([]);
    printed.mockRestore();
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
    const { endpoint, ids, transact, put } = await startPets();
    const Delete = { TableName: 'pets', Key: { id: { S: 'a' } } };
    await expect(transact([{ Delete }])).rejects.toMatchObject({ name: 'SerializationException' });
    const headers = { 'X-Amz-Target': 'DynamoDB_20120810.TransactWriteItems' };
    for (const body of ['{', 'null', '{"TransactItems":{}}', '{"TransactItems":[null]}']) {
      expect((await fetch(endpoint, { method: 'POST', headers, body })).status).toBe(400);
    }
    await put('a');
    expect(await ids()).toStrictEqual(['a']);
  });

  // On a busy machine, Node would cut off a request that arrives after five seconds without one.
  test('lets a connection be idle for as long as it likes', async () => {
    const { endpoint } = await startPets();
    const { headers } = await fetch(endpoint);
    expect(headers.get('connection')).toBe('keep-alive');
    expect(headers.get('keep-alive')).toBeNull();
  });
});

describe('a transaction of the built-in engine', () => {
  const isNew = {
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  const putOf = (id: string) => ({
    Put: { TableName: 'pets', Item: { id: { S: id }, by: { S: 'put' } }, ...isNew },
  });
  const updateOf = (id: string) => ({
    Update: { TableName: 'pets', Key: { id: { S: id } }, UpdateExpression: 'SET x = id', ...isNew },
  });

  test('is carried out as a whole, or says of each false condition what the item is', async () => {
    const { ids, put, transact } = await startPets();
    await transact([putOf('a'), updateOf('b')]);
    expect(await ids()).toStrictEqual(['a', 'b']);
    const none = { Code: 'None' };
    const a = { Code: 'ConditionalCheckFailed', Item: { id: { S: 'a' }, by: { S: 'put' } } };
    const b = { Code: 'ConditionalCheckFailed', Item: { id: { S: 'b' }, x: { S: 'b' } } };
    const reasonsOf = (put: string, update: string) =>
      transact([putOf(put), updateOf(update)]).catch((error) => error.CancellationReasons);
    expect(await reasonsOf('a', 'c')).toStrictEqual([a, none]);
    expect(await reasonsOf('c', 'b')).toStrictEqual([none, b]);
    expect(await reasonsOf('a', 'b')).toStrictEqual([a, b]);
    expect(await ids()).toStrictEqual(['a', 'b']);
    // It holds none of them any longer.
    await Promise.all(['a', 'b', 'c'].map((id) => put(id)));
  });

  test('has nothing in between, however many there are', async () => {
    const { ids, put, transact } = await startPets();
    const transactions = Array.from({ length: 20 }, (_, index) => [
      transact([putOf(`row-${index}`), updateOf('pet')]),
      transact([putOf('pet'), updateOf(`row-${index}`)]),
    ]).flat();
    const puts = transactions.map(() => put('other'));
    const settled = await Promise.allSettled(transactions);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all(puts);
    expect(await ids()).toStrictEqual(['other', 'pet', expect.stringMatching(/^row-/)]);
  });

  test('with another error is refused for that, and holds nothing', async () => {
    const { ids, put, transact } = await startPets();
    const nowhere = { Update: { ...updateOf('b').Update, TableName: 'nowhere' } };
    const wrong = { Update: { ...updateOf('b').Update, UpdateExpression: 'nonsense' } };
    const errorOf = (second: TransactWriteItem) =>
      transact([putOf('a'), second]).catch(({ name }) => name);
    expect(await errorOf(nowhere)).toBe('ResourceNotFoundException');
    expect(await errorOf(wrong)).toBe('ValidationException');
    await put('a');
    expect(await ids()).toStrictEqual(['a']);
  });
});

test('another engine is used as it is, if the environment names one', async () => {
  jest.replaceProperty(process, 'env', {
    ...process.env,
    PETSTORE_DYNAMODB_URL: 'http://localhost:8000',
  });
  expect((await startEngine()).endpoint).toBe('http://localhost:8000');
  jest.restoreAllMocks();
});
