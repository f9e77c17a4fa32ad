import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AttributeValue,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { afterAll } from '@jest/globals';
import { writeRunFile } from '../../ops/stage/run-file.ts';
import { dynamodbProxy, type Passing, type Reaction } from './dynamodb-proxy.ts';
import { startEngine } from './engine.ts';
import { type LocalRun, temporaryDirectory } from './local-run.ts';
import { ops } from './ops.ts';

type Item = Record<string, AttributeValue>;

/** A table that `--local` finds, without the service around it. */
export interface InventoryStage {
  client: DynamoDBClient;
  TableName: string;
  /** What happens to a request on its way to the table; as a rule, it is forwarded. */
  react: (passing: Passing) => Promise<Reaction>;
  put(item: Item): Promise<unknown>;
  /** Every entry, in no order. */
  items(): Promise<Item[]>;
  /** Every entry in CSV, ordered by petId. */
  csv(): Promise<string>;
  /** Puts an empty table in place of this one, and forwards requests again. */
  reset(): Promise<void>;
}

const closing: (() => void)[] = [];

// What is open would keep Jest from ending.
afterAll(() => {
  for (const close of closing) {
    close();
  }
});

export const forwardAll = ({ forward }: Passing): Promise<Reaction> => forward();

let tables = 0;

// Each table is described anew, and each description is removed when the process exits.
process.setMaxListeners(100);

/** The one stage of a test file; it has no table before it is reset. */
export const inventoryStage = async (): Promise<InventoryStage> => {
  const engine = await startEngine();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: engine.endpoint, region: 'us-east-1', credentials });
  const proxy = await dynamodbProxy(engine.endpoint, (passing) => stage.react(passing));
  closing.push(() => client.destroy(), proxy.close, engine.stop);
  const run = { pid: process.pid, accountId: '000000000000', region: 'us-east-1', credentials, stageName: 'staging' };
  const stage: InventoryStage = {
    client,
    TableName: '',
    react: forwardAll,
    put: (Item) => client.send(new PutItemCommand({ TableName: stage.TableName, Item })),
    items: async () => {
      const found: Item[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName: stage.TableName })) {
        found.push(...Items);
      }
      return found;
    },
    csv: async () => {
      const rows = (await stage.items())
        .toSorted((a, b) => (BigInt(a.petId?.N ?? 0) < BigInt(b.petId?.N ?? 0) ? -1 : 1))
        .map(({ petId, quantity, status }) => `${petId?.N},${quantity?.N},${status?.S}\n`);
      return `petId,quantity,status\n${rows.join('')}`;
    },
    reset: async () => {
      tables += 1;
      stage.TableName = `inventory-${tables}`;
      stage.react = forwardAll;
      await client.send(
        new CreateTableCommand({
          TableName: stage.TableName,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [{ AttributeName: 'petId', KeyType: 'HASH' }],
          AttributeDefinitions: [{ AttributeName: 'petId', AttributeType: 'N' }],
        }),
      );
      const dynamodb = { endpoint: proxy.endpoint, inventory: stage.TableName, apiKeys: 'none' };
      const description = { ...run, baseUrl: `${proxy.endpoint}/staging/v1`, restApiId: 'none', dynamodb };
      writeRunFile(description, { TMPDIR: temporaryDirectory });
    },
  };
  return stage;
};

/** The entries of a service in CSV, as its API lists them. */
export const inventoryCsv = async (run: LocalRun): Promise<string> => {
  const { body } = await run.send({ path: '/inventory' });
  const rows = (body as { petId: bigint; quantity: bigint; status: string }[])
    .toSorted((a, b) => (a.petId < b.petId ? -1 : 1))
    .map(({ petId, quantity, status }) => `${petId},${quantity},${status}\n`);
  return `petId,quantity,status\n${rows.join('')}`;
};

let files = 0;

/** A new file with this text. */
export const fileWith = (text: string | Buffer): string => {
  files += 1;
  const path = join(temporaryDirectory, `pets-${files}`);
  writeFileSync(path, text);
  return path;
};

/** The lines on standard error that tell what is wrong. */
export const problemsOf = (errors: string): string[] =>
  errors.split('\n').filter((line) => !/^(Stage: |Checked |Looked up |Wrote |Read |\d+ %|$)/.test(line));

/** Runs `petstore inventory … --local` in this process. */
export const inventory = async (...options: string[]) => {
  const { code, output, errors } = await ops(['inventory', ...options, '--local']);
  return { code, output, problems: problemsOf(errors) };
};

/** Imports a text. */
export const importText = (text: string | Buffer, ...options: string[]) =>
  inventory('import', fileWith(text), ...options);
