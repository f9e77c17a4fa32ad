import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import dynalite from 'dynalite';
import type { SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { startTables } from '../../../local/tables/tables.ts';
import { atEnd } from '../../support/process/at-end.ts';

const table = {
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
};
/** Starts the tables of a stack; `update` writes an entry of the last table. */
const start = async (names: string[], endpoint?: string) => {
  const resources = () => new Map(names.map((name) => [name, table]));
  const account = { accountId: '000000000000', region: 'us-east-1' };
  const stack = {
    ref: (id: string) => `fixture-${id}`,
    resources,
    account,
  } as unknown as SynthesizedStack;
  const tables = await startTables(stack, { dataDirectory: undefined, endpoint });
  const input = { TableName: `fixture-${names.at(-1)}`, Key: { id: { S: '1' } } };
  return { ...tables, update: () => tables.client.send(new UpdateItemCommand(input)) };
};

test('an engine at an IPv6 address gets the tables that it lacks, ready for use, and keeps running', async () => {
  const engine = dynalite({ createTableMs: 300 }).listen(0, '::1');
  atEnd(() => engine.close());
  atEnd(() => engine.closeAllConnections());
  await once(engine, 'listening');
  const at = `http://[::1]:${(engine.address() as AddressInfo).port}`;
  for (const names of [['A'], ['A', 'B'], ['A', 'B']]) {
    const { endpoint, update, close } = await start(names, at);
    expect(endpoint).toBe(at);
    await update();
    await close();
  }
});

test('the built-in engine is closed without an error while updates of one entry wait for each other', async () => {
  const { update, close } = await start(['pets']);
  const first = update();
  const others = Promise.allSettled(Array.from({ length: 50 }, update));
  await first;
  // An error that dynalite throws meanwhile cannot be caught, and would fail this test.
  await expect(close()).resolves.toBeUndefined();
  await others;
});

test('the built-in engine keeps running when a client leaves in the middle of a request', async () => {
  const { endpoint, update, close } = await start(['pets']);
  const { port, hostname } = new URL(endpoint);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"Table`);
  // The engine has read that part once a later request has its response.
  await update();
  socket.resetAndDestroy();
  await once(socket, 'close');
  await expect(update()).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } });
  await close();
});
