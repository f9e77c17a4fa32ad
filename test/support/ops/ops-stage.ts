import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach } from '@jest/globals';
import { changeKey, idOf, issuedKeys } from '../../../ops/keys/issued-keys.ts';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { type RunDescription, writeRunFile } from '../../../ops/stage/run-file.ts';
import { createTable } from '../dynamodb/create-table.ts';
import { dynamodbProxy, type Passing, type Reaction } from '../dynamodb/dynamodb-proxy.ts';
import { serve } from '../http/serve.ts';
import {
  credentials,
  engineClient,
  type LocalRun,
  temporaryDirectory,
} from '../local/local-run.ts';
import { atEnd } from '../process/at-end.ts';
import { awsAround } from './fake-aws.ts';
import { type OpsOptions, ops } from './ops.ts';

type Item = Record<string, AttributeValue>;

const endpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';

// Each test writes a run file for its new tables, and each run file adds an exit listener that
// removes it.
process.setMaxListeners(200);

const client = engineClient(endpoint);
atEnd(() => client.destroy());

const passOn = ({ forward }: Passing): Promise<Reaction> => forward();
const accept = (response: ServerResponse): unknown => response.writeHead(202).end();

/**
 * Returns a stage that `--local` finds, with tables but without a service. Every test begins with
 * empty tables.
 */
export const tablesOfStage = () => {
  const tables = { endpoint: '', inventory: '', apiKeys: '' };
  let baseUrl = '';
  const stage = {
    /** Reacts to each request to the tables. By default it forwards the request. */
    react: passOn,
    /** Responds to a request to empty the authorizer's cache. By default it accepts it. */
    onFlush: accept,
    apiKeys: () => ({ client, TableName: tables.apiKeys }),
    inventory: () => ({ client, TableName: tables.inventory }),
    put: (Item: Item) => client.putItem({ TableName: tables.inventory, Item }),
    remove: (petId: string) =>
      client.deleteItem({ TableName: tables.inventory, Key: { petId: { N: petId } } }),
    items: async () => (await client.scan({ TableName: tables.inventory })).Items as Item[],
    reset: async () => {
      Object.assign(stage, { react: passOn, onFlush: accept });
      const id = crypto.randomUUID();
      Object.assign(tables, { inventory: `inventory-${id}`, apiKeys: `keys-${id}` });
      await createTable(client, { name: tables.inventory, key: 'petId', type: 'N' });
      await createTable(client, { name: tables.apiKeys, key: 'keyHash', type: 'S' });
      describeRun(baseUrl, tables);
    },
    /** Starts a fake AWS whose deployed stages both have these tables. */
    account: () => awsAround({ baseUrl, tables } as unknown as LocalRun),
    /** Runs a command in such an account. */
    deployed: async (options: string[], settings: OpsOptions = {}) =>
      ops(options, { ...settings, env: (await stage.account()).environment }),
  };
  beforeAll(async () => {
    const proxy = await dynamodbProxy(endpoint, (passing) => stage.react(passing));
    atEnd(proxy.close);
    tables.endpoint = proxy.endpoint;
    baseUrl = `${await serve((_message, response) => stage.onFlush(response))}/staging/v1`;
  });
  beforeEach(stage.reset);
  return stage;
};

/** Writes the run file of a local run with these tables. */
const describeRun = (baseUrl: string, dynamodb: RunDescription['dynamodb']): void => {
  const run = {
    pid: process.pid,
    accountId: '000000000000',
    region: 'us-east-1',
    stageName: 'staging',
    restApiId: 'none',
  };
  writeRunFile({ ...run, credentials, dynamodb, baseUrl }, { TMPDIR: temporaryDirectory });
};

/** A summary of a key that a command has issued. */
type IssuedSummary = KeySummary & { id: string; created: string };

export const localKeys = () => {
  const stage = tablesOfStage();
  const all = () => issuedKeys(stage.apiKeys());
  const keys = async (options: string[], settings?: OpsOptions) => {
    const { errors, ...result } = await ops(['keys', ...options, '--local'], settings);
    return { ...result, errors: errors.replace(/^Stage: staging of the local run at .*\n/, '') };
  };
  const json = async (...options: string[]) =>
    JSON.parse((await keys([...options, '--json'])).output);
  return {
    stage,
    /** Returns every record of the table. */
    all,
    keys,
    json,
    /** Changes attributes of a record, as a manual write does. */
    change: async (id: string, changes: object) =>
      changeKey(stage.apiKeys(), (await all()).find((key) => idOf(key) === id) ?? {}, changes),
    create: (...options: string[]): Promise<IssuedSummary & { key: string }> =>
      json('create', '--name', 'shop', ...options),
    /** Returns the summary of a key. */
    show: async (id: string): Promise<IssuedSummary> =>
      (await json('list')).find((key: IssuedSummary) => key.id === id),
    stateOf: async (key: string) =>
      JSON.parse((await keys(['find', '--json'], { input: key })).output).state,
  };
};

export const fileWith = (text: string): string => {
  const path = join(temporaryDirectory, `pets-${crypto.randomUUID()}`);
  writeFileSync(path, text);
  return path;
};

const progress = /^(Stage: |Checked |Looked up |Wrote |Read |\d+ %|$)/;

/**
 * Runs `petstore inventory … --local` in this process. `problems` is standard error without stage
 * and progress.
 */
const run = async (options: string[], settings?: OpsOptions) => {
  const { code, output, errors } = await ops(['inventory', ...options, '--local'], settings);
  return { code, output, problems: errors.split('\n').filter((line) => !progress.test(line)) };
};
export const inventory = (...options: string[]) => run(options);

export const importText = (input: string | Iterable<Buffer>, ...options: string[]) =>
  run(['import', '-', ...options], { input });

export const header = 'petId,quantity,status\n';

/**
 * Returns this many entries in CSV. Their petIds are above 2^53, so that a double rounds every
 * other one.
 */
export const csvOf = (size: number, quantity = 1): string => {
  const rows = Array.from(
    { length: size },
    (_row, i) => `${9_007_199_254_740_993n + BigInt(i)},${quantity},sold\n`,
  );
  return header + rows.join('');
};

/** Returns every entry in CSV, ordered by petId. */
export const exported = async () => (await inventory('export')).output;
