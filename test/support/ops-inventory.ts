import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AttributeValue,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { writeRunFile } from '../../ops/stage/run-file.ts';
import { dynamodbProxy, type Passing, type Reaction } from './dynamodb-proxy.ts';
import { temporaryDirectory } from './local-run.ts';
import { ops } from './ops.ts';

type Item = Record<string, AttributeValue>;

/** Of the engine that all tests of the run share. */
const endpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
export const engineClient = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials });

// Each table is described anew, and each description is removed when the process exits.
process.setMaxListeners(100);

/** An inventory that `--local` finds, without the service around it; a test begins with an empty one. */
export const inventoryStage = () => {
  const forwardAll = ({ forward }: Passing): Promise<Reaction> => forward();
  const stage = {
    TableName: '',
    /** What happens to a request on its way to the table; as a rule, it is forwarded. */
    react: forwardAll,
    put: (Item: Item) => engineClient.send(new PutItemCommand({ TableName: stage.TableName, Item })),
    /** Every entry, in no order. */
    items: async (): Promise<Item[]> =>
      (await engineClient.send(new ScanCommand({ TableName: stage.TableName }))).Items ?? [],
    /** Every entry in CSV, ordered by petId. */
    csv: async (): Promise<string> => {
      const rows = (await stage.items())
        .toSorted((a, b) => (BigInt(a.petId?.N ?? 0) < BigInt(b.petId?.N ?? 0) ? -1 : 1))
        .map(({ petId, quantity, status }) => `${petId?.N},${quantity?.N},${status?.S}\n`);
      return `petId,quantity,status\n${rows.join('')}`;
    },
  };
  let proxy: Awaited<ReturnType<typeof dynamodbProxy>>;
  beforeAll(async () => {
    proxy = await dynamodbProxy(endpoint, (passing) => stage.react(passing));
  });
  afterAll(() => {
    engineClient.destroy();
    return proxy.close();
  });
  const reset = async () => {
    stage.TableName = `table-${crypto.randomUUID()}`;
    const AttributeDefinitions = [{ AttributeName: 'petId', AttributeType: 'N' as const }];
    const KeySchema = [{ AttributeName: 'petId', KeyType: 'HASH' as const }];
    const { TableName } = stage;
    await engineClient.send(
      new CreateTableCommand({ TableName, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions, KeySchema }),
    );
    stage.react = forwardAll;
    const run = { pid: process.pid, accountId: '000000000000', region: 'eu-west-1', stageName: 'staging' };
    const dynamodb = { endpoint: proxy.endpoint, inventory: TableName, apiKeys: 'none' };
    const api = { baseUrl: `${proxy.endpoint}/staging/v1`, restApiId: 'none' };
    writeRunFile({ ...run, credentials, dynamodb, ...api }, { TMPDIR: temporaryDirectory });
  };
  beforeEach(reset);
  return Object.assign(stage, { reset });
};

/** A new file with this text. */
export const fileWith = (text: string | Buffer): string => {
  const path = join(temporaryDirectory, `pets-${crypto.randomUUID()}`);
  writeFileSync(path, text);
  return path;
};

/** Runs `petstore inventory … --local` in this process. The problems are the lines on standard error that tell them. */
export const inventory = async (...options: string[]) => {
  const { code, output, errors } = await ops(['inventory', ...options, '--local']);
  const progress = /^(Stage: |Checked |Looked up |Wrote |Read |\d+ %|$)/;
  return { code, output, problems: errors.split('\n').filter((line) => !progress.test(line)) };
};

/** Imports a text. */
export const importText = (text: string | Buffer, ...options: string[]) =>
  inventory('import', fileWith(text), ...options);
