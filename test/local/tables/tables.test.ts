import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import dynalite from 'dynalite';
import type { SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { startTables } from '../../../local/tables/tables.ts';
import { requestArrives } from '../../support/http/request-arrives.ts';
import { serve } from '../../support/http/serve.ts';
import { atEnd } from '../../support/process/at-end.ts';

const table = {
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
};

/** Starts the tables of a stack; `update` writes an entry of the last table. */
const start = async (names: string[], endpoint?: string, timeoutMs?: number) => {
  const resources = () => new Map(names.map((name) => [name, table]));
  const account = { accountId: '000000000000', region: 'us-east-1' };
  const ref = (id: string) => `fixture-${id}`;
  const stack = { ref, resources, account } as unknown as SynthesizedStack;
  const tables = await startTables(stack, { dataDirectory: undefined, endpoint, timeoutMs });
  const input = { TableName: `fixture-${names.at(-1)}`, Key: { id: { S: '1' } } };
  return { ...tables, update: () => tables.client.send(new UpdateItemCommand(input)) };
};

const written = { $metadata: { httpStatusCode: 200 } };

/** Starts an engine at an IPv6 address that takes a while to create a table. */
const startEngine = async (): Promise<string> => {
  const engine = dynalite({ createTableMs: 300 }).listen(0, '::1');
  atEnd(() => engine.close());
  atEnd(() => engine.closeAllConnections());
  await once(engine, 'listening');
  return `http://[::1]:${(engine.address() as AddressInfo).port}`;
};

test('another engine gets the tables that it lacks, ready for use', async () => {
  const url = await startEngine();
  const { endpoint, update, close } = await start(['A', 'B'], url);
  expect(endpoint).toBe(url);
  await expect(update()).resolves.toMatchObject(written);
  await close();
});

test('another engine keeps running, and so its tables', async () => {
  const url = await startEngine();
  await (await start(['A'], url)).close();
  const { update, close } = await start(['A'], url);
  await expect(update()).resolves.toMatchObject(written);
  await close();
});

test.each([
  {
    what: 'is no engine of DynamoDB',
    url: () => serve((_message, response) => void response.writeHead(400).end('{"message":"no"}')),
    reason: /no$/,
  },
  { what: 'does not answer', url: () => serve(() => {}), reason: /it does not answer\.$/ },
  {
    what: 'cuts connections',
    url: () => serve((message) => void message.socket.destroy()),
    reason: /socket hang up$/,
  },
])('another engine that $what is an error that names its URL', async ({ url, reason }) => {
  const endpoint = await url();
  const error = await start(['A'], endpoint, 50).catch((cause) => cause);
  expect(error).toMatchObject({ code: 'ENOENT', message: expect.stringMatching(reason) });
  expect(error.message).toContain(`--dynamodb ${endpoint} cannot be used as an engine of DynamoDB`);
});

test('the built-in engine can be closed while updates of one entry are waiting', async () => {
  const { update, close } = await start(['pets']);
  const first = update();
  const others = Promise.allSettled(Array.from({ length: 50 }, update));
  await first;
  // An error that dynalite throws meanwhile cannot be caught, and would fail this test.
  await expect(close()).resolves.toBeUndefined();
  await others;
});

test('the built-in engine outlives a client that leaves in the middle of a request', async () => {
  const { endpoint, update, close } = await start(['pets']);
  const { port, hostname } = new URL(endpoint);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"Table`);
  // The engine has read that part once a later request has its response.
  await update();
  socket.resetAndDestroy();
  await once(socket, 'close');
  await expect(update()).resolves.toMatchObject(written);
  await close();
});

// On a busy machine, Node would cut off a request that arrives after five seconds without one.
test('a connection to the built-in engine may be idle for as long as it likes', async () => {
  const arriving = requestArrives();
  const { close } = await start(['pets']);
  const { keepAliveTimeout } = await arriving;
  await close();
  expect(keepAliveTimeout).toBe(0);
});
