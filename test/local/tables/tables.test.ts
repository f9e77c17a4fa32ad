import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import dynalite from 'dynalite';
import type { SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { prepareDataDirectory } from '../../../local/tables/data-directory.ts';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
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

describe('another engine', () => {
  /** Starts an engine at an IPv6 address that takes a while to create a table. */
  const startEngine = async (): Promise<string> => {
    const engine = dynalite({ createTableMs: 50 }).listen(0, '::1');
    atEnd(() => engine.close());
    atEnd(() => engine.closeAllConnections());
    await once(engine, 'listening');
    return `http://[::1]:${(engine.address() as AddressInfo).port}`;
  };

  test('gets the tables that it lacks, ready for use, and keeps them', async () => {
    const url = await startEngine();
    const first = await start(['A'], url);
    expect(first.endpoint).toBe(url);
    await first.close();
    const second = await start(['A', 'B'], url);
    await expect(second.update()).resolves.toMatchObject(written);
    await second.close();
  });

  test.each([
    {
      what: 'is no engine of DynamoDB',
      url: () =>
        serve((_message, response) => void response.writeHead(400).end('{"message":"no"}')),
      reason: /no$/,
    },
    { what: 'does not answer', url: () => serve(() => {}), reason: /it does not answer\.$/ },
    {
      what: 'cuts connections',
      url: () => serve((message) => void message.socket.destroy()),
      reason: /socket hang up$/,
    },
  ])('that $what is an error that names its URL', async ({ url, reason }) => {
    const endpoint = await url();
    const error = await start(['A'], endpoint, 50).catch((cause) => cause);
    expect(error).toMatchObject({ code: 'ENOENT', message: expect.stringMatching(reason) });
    expect(error.message).toContain(
      `--dynamodb ${endpoint} cannot be used as an engine of DynamoDB`,
    );
  });
});

describe('the built-in engine', () => {
  test('can be closed while updates of one entry are waiting', async () => {
    const { update, close } = await start(['pets']);
    const first = update();
    const others = Promise.allSettled(Array.from({ length: 50 }, update));
    await first;
    // An error that dynalite throws meanwhile cannot be caught, and would fail this test.
    await expect(close()).resolves.toBeUndefined();
    await others;
  });

  test('says itself why it refuses a table', async () => {
    const arriving = requestArrives();
    await expect(start(['no name'])).rejects.toMatchObject({ name: 'ValidationException' });
    const engine = await arriving;
    engine.close();
    engine.closeAllConnections();
  });

  test('outlives a client that leaves in the middle of a request', async () => {
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
  test('lets a connection be idle for as long as it likes', async () => {
    const arriving = requestArrives();
    const { close } = await start(['pets']);
    const { keepAliveTimeout } = await arriving;
    await close();
    expect(keepAliveTimeout).toBe(0);
  });

  // As DynamoDB does: the tests of If-Match run on both.
  test.each([
    { asked: 'ALL_OLD', returned: { id: { S: '1' } } },
    { asked: 'NONE', returned: undefined },
    { asked: undefined, returned: undefined },
  ] as const)('returns the item of a failed update if asked for it: $asked', async (row) => {
    const { client, update, close } = await start(['pets']);
    await update();
    const failing = new UpdateItemCommand({
      TableName: 'fixture-pets',
      Key: { id: { S: '1' } },
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: row.asked,
    });
    const error = await client.send(failing).catch((cause) => cause);
    await close();
    expect(error).toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect(error.Item).toEqual(row.returned);
  });
});

describe('a data directory', () => {
  const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'petstore-data-'));

  test('is created with its parents', async () => {
    const directory = join(newDirectory(), 'a/b');
    await prepareDataDirectory(directory);
    expect(readdirSync(directory)).toEqual(['in-use']);
  });

  test('may be created by two runs at the same time', async () => {
    const directory = join(newDirectory(), 'a/b');
    await Promise.all([prepareDataDirectory(directory), prepareDataDirectory(directory)]);
    expect(readdirSync(directory)).toEqual(['in-use']);
  });

  test('may be empty', async () => {
    await expect(prepareDataDirectory(newDirectory())).resolves.toBeUndefined();
  });

  test('is for one run at a time, and for one after another', async () => {
    const directory = newDirectory();
    for (let run = 0; run < 3; run++) {
      await prepareDataDirectory(directory);
      const { close } = await startDynalite(directory);
      await expect(startDynalite(directory)).rejects.toThrow('another run is using it.');
      await close();
    }
    await expect(prepareDataDirectory(directory)).resolves.toBeUndefined();
  });

  /** Makes a directory that a run has used, and that holds these files. */
  const usedDirectory = (...names: string[]): string => {
    const directory = newDirectory();
    mkdirSync(join(directory, 'in-use'));
    for (const name of names) {
      writeFileSync(join(directory, name), '');
    }
    return directory;
  };

  test("may hold LevelDB's files", async () => {
    const numbered = ['MANIFEST-000002', '000003.log', '000005.ldb', '000006.sst', '7.dbtmp'];
    const directory = usedDirectory('CURRENT', 'LOCK', 'LOG', 'LOG.old', ...numbered);
    await expect(prepareDataDirectory(directory)).resolves.toBeUndefined();
  });

  test.each(['notes.txt', '.DS_Store', 'CURRENT.bak', 'my-000005.ldb', 'in-use-not'])(
    'that also holds %s is refused, and stays as it is',
    async (name) => {
      const directory = usedDirectory('CURRENT', name);
      const reason = `it holds ${name}, which is no part of a local run's tables.`;
      await expect(prepareDataDirectory(directory)).rejects.toThrow(reason);
      expect(readdirSync(directory).sort()).toEqual(['CURRENT', 'in-use', name].sort());
    },
  );

  test('that holds the database of another program is refused, and stays as it is', async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, 'CURRENT'), '');
    const reason = 'it holds the database of another program.';
    await expect(prepareDataDirectory(directory)).rejects.toThrow(reason);
    expect(readdirSync(directory)).toEqual(['CURRENT']);
  });

  test('is no file', async () => {
    const file = join(usedDirectory('file'), 'file');
    await expect(prepareDataDirectory(file)).rejects.toThrow('ENOTDIR');
  });
});
