import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AttributeValue,
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { writeRunFile } from '../../ops/stage/run-file.ts';
import { dynamodbProxy, type Passing, type Reaction } from './dynamodb-proxy.ts';
import { temporaryDirectory } from './local-run.ts';
import { type OpsOptions, ops } from './ops.ts';

type Item = Record<string, AttributeValue>;

/** Of the engine that all tests of the run share. */
const endpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

// Each table is described anew, and each description is removed when the process exits.
process.setMaxListeners(200);

/** An inventory that `--local` finds, without the service around it; a test begins with an empty one. */
export const inventoryStage = () => {
  const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials });
  let TableName = '';
  let proxy: Awaited<ReturnType<typeof dynamodbProxy>>;
  const stage = {
    /** What happens to a request on its way to the table; as a rule, it is forwarded. */
    react: ({ forward }: Passing): Promise<Reaction> => forward(),
    put: (Item: Item) => client.send(new PutItemCommand({ TableName, Item })),
    remove: (petId: string) => client.send(new DeleteItemCommand({ TableName, Key: { petId: { N: petId } } })),
    /** Every entry, in no order. */
    items: async () => (await client.send(new ScanCommand({ TableName }))).Items as Item[],
    reset: async () => {
      TableName = `table-${crypto.randomUUID()}`;
      stage.react = ({ forward }) => forward();
      const AttributeDefinitions = [{ AttributeName: 'petId', AttributeType: 'N' as const }];
      const KeySchema = [{ AttributeName: 'petId', KeyType: 'HASH' as const }];
      const table = { TableName, BillingMode: 'PAY_PER_REQUEST' as const, AttributeDefinitions, KeySchema };
      await client.send(new CreateTableCommand(table));
      const run = { pid: process.pid, accountId: '000000000000', region: 'eu-west-1', stageName: 'staging' };
      const dynamodb = { endpoint: proxy.endpoint, inventory: TableName, apiKeys: 'none' };
      const api = { baseUrl: `${proxy.endpoint}/staging/v1`, restApiId: 'none' };
      writeRunFile({ ...run, credentials, dynamodb, ...api }, { TMPDIR: temporaryDirectory });
    },
  };
  beforeAll(async () => {
    proxy = await dynamodbProxy(endpoint, (passing) => stage.react(passing));
  });
  afterAll(() => {
    client.destroy();
    return proxy.close();
  });
  beforeEach(stage.reset);
  return stage;
};

/** A new file with this text. */
export const fileWith = (text: string): string => {
  const path = join(temporaryDirectory, `pets-${crypto.randomUUID()}`);
  writeFileSync(path, text);
  return path;
};

const progress = /^(Stage: |Checked |Looked up |Wrote |Read |\d+ %|$)/;

/** Runs `petstore inventory … --local` in this process. The problems are the lines on standard error that tell them. */
const run = async (options: string[], settings?: OpsOptions) => {
  const { code, output, errors } = await ops(['inventory', ...options, '--local'], settings);
  return { code, output, problems: errors.split('\n').filter((line) => !progress.test(line)) };
};
export const inventory = (...options: string[]) => run(options);

/** Imports a text, or chunks of it, from standard input. */
export const importText = (input: string | Iterable<Buffer>, ...options: string[]) =>
  run(['import', '-', ...options], { input });

/** Every entry in CSV, ordered by petId. */
export const exported = async () => (await inventory('export')).output;
