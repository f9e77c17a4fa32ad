import { exec } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { readStack } from '../../../infra/assembly/resolved-stack.ts';
import { prepareDataDirectory } from '../../../local/tables/data-directory.ts';
import { startTables } from '../../../local/tables/tables.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';
import { runService } from '../../../ops/start/run-service.ts';
import {
  type LocalRun,
  localRun,
  startRun,
  temporaryDirectory,
} from '../../support/local/local-run.ts';
import { ops } from '../../support/ops/ops.ts';
import { sharedAssembly } from '../../support/stack/shared-assembly.ts';
import { assemblyWith, changedTemplate } from '../../support/stack/synthesized.ts';

const assembly = await sharedAssembly();

const portOf = ({ baseUrl }: LocalRun) => new URL(baseUrl).port;
const keyInEnvironment = createApiKey('prod');

/** An assembly whose prod is tied to an account and a region, and has a domain name. */
const tiedAssembly = (): string => {
  const template = changedTemplate(({ Outputs }) => {
    Outputs.DomainTarget = { Value: { 'Fn::GetAtt': ['ApiDomain', 'RegionalDomainName'] } };
  });
  const env: Record<string, string> = {
    AccountId: '111122223333',
    Region: 'us-gov-west-1',
    Partition: 'aws-us-gov',
  };
  const reference = /\{"Ref":"AWS::(AccountId|Region|Partition)"\}/g;
  const tied = JSON.stringify(template).replace(reference, (_found, name) => `"${env[name]}"`);
  return assemblyWith(JSON.parse(tied), '111122223333/us-gov-west-1');
};

const ofProd = await startRun(
  ['--app', tiedAssembly(), '--stage', 'prod', '--log-format', 'text'],
  { PETSTORE_API_KEY: keyInEnvironment },
);

const shell = async (script: string) => (await promisify(exec)(script)).stdout;
const lineOf = (run: LocalRun, command: string) =>
  new RegExp(`^${command} .*$`, 'm').exec(run.output)?.[0] ?? '';

test('start prints which stage it runs, and where its tables are', () => {
  expect(ofProd.output).toMatch(
    /^Petstore inventory, stage prod, tables (in memory|at http:\S+)\. Ctrl-C stops it\.\n/,
  );
});

test('the export and curl commands that start prints can be pasted', async () => {
  const listed = await shell(lineOf(ofProd, 'curl'));
  expect(JSON.parse(listed)).toHaveLength(7);
  const request = 'curl -H "Authorization: Bearer $PETSTORE_API_KEY" $PETSTORE_BASE_URL/inventory';
  expect(await shell(`${lineOf(ofProd, 'export')}\n${request}`)).toBe(listed);
});

test('start does not issue a key that the environment holds', async () => {
  const headers = { Authorization: `Bearer ${keyInEnvironment}` };
  expect((await ofProd.send({ path: '/inventory', headers })).status).toBe(401);
});

test('start logs a readable line for each request, and none that holds a key', async () => {
  await ofProd.send({ path: '/inventory' });
  // The line is written once the response has ended, and read from a pipe.
  while (!/GET .*\/inventory.* 200/.test(ofProd.log())) {
    await nextTurn();
  }
  expect(ofProd.log()).not.toContain(ofProd.apiKey);
});

test('start says that a port is in use before it does anything else', async () => {
  const errors =
    `petstore: Port ${portOf(ofProd)} is in use.\n` +
    'Use any free port: npx --no -- petstore start --port 0\n';
  const another = await ops(['start', '--port', portOf(ofProd)]);
  expect(another).toEqual({ code: 6, output: '', errors });
});

interface Tables {
  client: DynamoDBClient;
  inventory: string;
  apiKeys: string;
}

/** Runs the service in this process on a data directory, and returns its inventory. */
const inventoryIn = async (data: string, more: { watch?: boolean } = {}) => {
  const terminal = {
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: { TMPDIR: temporaryDirectory },
  };
  const logFormat = 'json' as const;
  const options = { port: 0, stage: 'staging', app: assembly, data, logFormat, ...more };
  const { tables, close } = await runService(terminal as unknown as Terminal, options);
  const { Items } = await tables.client.scan({ TableName: tables.inventory });
  await close();
  return Items;
};

/** Makes a change in the tables of a data directory, as if by a run that was then stopped. */
const changeIn = async (data: string, change: (tables: Tables) => Promise<unknown>) => {
  const stack = readStack(assembly, 'staging');
  await prepareDataDirectory(data);
  const tables = await startTables(stack, { dataDirectory: data, endpoint: undefined });
  const [inventory, apiKeys] = ['InventoryTableName', 'ApiKeysTableName'].map(stack.output);
  await change({ client: tables.client, inventory: inventory ?? '', apiKeys: apiKeys ?? '' });
  await tables.close();
};

const entry = { petId: { N: '2' }, quantity: { N: '3' }, status: { S: 'pending' } };

test('with --data, start keeps every confirmed write although it is killed', async () => {
  const data = join(temporaryDirectory, 'killed');
  const run = await localRun('--data', data);
  await run.patch(1, '{"quantity":4321}');
  run.process.kill('SIGKILL');
  await once(run.process, 'exit');
  expect(await inventoryIn(data)).toContainEqual({
    petId: { N: '1' },
    quantity: { N: '4321' },
    status: { S: 'available' },
  });
});

test('start completes a sample that an earlier start has loaded in part', async () => {
  const data = join(temporaryDirectory, 'halfway');
  await changeIn(data, ({ client, inventory: TableName }) =>
    client.send(new PutItemCommand({ TableName, Item: entry })),
  );
  const inventory = await inventoryIn(data);
  expect(inventory).toHaveLength(7);
  expect(inventory).toContainEqual(entry);
});

test('start loads no sample into tables that have a key, even if there is no stock', async () => {
  const data = join(temporaryDirectory, 'emptied');
  const Item = {
    keyHash: { S: 'x' },
    keyId: { S: 'x' },
    name: { S: 'shop' },
    createdAt: { N: '1' },
  };
  await changeIn(data, ({ client, apiKeys: TableName }) =>
    client.send(new PutItemCommand({ TableName, Item })),
  );
  expect(await inventoryIn(data)).toEqual([]);
});

test('with --app, too, start leaves a data directory of other files alone', async () => {
  const data = join(temporaryDirectory, 'photos');
  mkdirSync(data);
  writeFileSync(join(data, 'photo.jpg'), '');
  await expect(inventoryIn(data)).rejects.toThrow('it holds photo.jpg');
  expect(readdirSync(data)).toEqual(['photo.jpg']);
});

/** Returns how many servers this process has, once those that are closed are gone. */
const servers = async (): Promise<number> => {
  await nextTurn();
  await nextTurn();
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
};

test('with --watch, too, start ends when its servers are closed', async () => {
  const before = await servers();
  await inventoryIn(join(temporaryDirectory, 'watched'), { watch: true });
  expect(await servers()).toBe(before);
});

const descriptionOf = (run: LocalRun) =>
  join(
    temporaryDirectory,
    `petstore-inventory-runs-${process.getuid?.()}`,
    `${run.process.pid}.json`,
  );

test('start describes itself for its user only, without the key', () => {
  const file = descriptionOf(ofProd);
  const text = readFileSync(file, 'utf8');
  const { process: child, baseUrl } = ofProd;
  expect(JSON.parse(text)).toMatchObject({ pid: child.pid, stageName: 'prod', baseUrl });
  expect(text).not.toContain('petstore_prod_');
  const modes = [join(file, '..'), file].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
});

test('Ctrl-C stops start although a client is connected, and no description is left', async () => {
  const run = await localRun();
  const socket = connect(Number(portOf(run)), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  run.process.kill('SIGINT');
  expect(await once(run.process, 'exit')).toEqual([0, null]);
  expect(existsSync(descriptionOf(run))).toBe(false);
  socket.destroy();
});

const file = join(temporaryDirectory, 'file');
writeFileSync(file, '');

test.each([
  {
    option: '--app',
    value: 'functions',
    reason: 'functions holds no synthesized stage staging. npx cdk synth writes one.',
  },
  { option: '--data', value: file, reason: `--data ${file} cannot be used: .+` },
  // Node's recursive mkdir never returns for this path.
  {
    option: '--data',
    value: '/proc/inventory',
    reason: '--data /proc/inventory cannot be used: .+',
  },
  // As of a script whose variable is not set.
  { option: '--api-key', value: '', reason: 'There is no API key in this. .+' },
])('start rejects $option "$value" before it does anything else', async (row) => {
  expect(await ops(['start', '--port', '0', row.option, row.value])).toEqual({
    code: 3,
    output: '',
    errors: expect.stringMatching(`^petstore: ${row.reason}\n$`),
  });
});
