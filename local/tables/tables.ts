import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CreateTableCommandInput,
  DynamoDB,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Template } from '../../infra/assembly/template.ts';
import { localCredentials as credentials, region } from '../shared/account.ts';
import { startDynalite } from './dynalite-engine.ts';

export interface TableOptions {
  /** Directory in which dynalite keeps its tables; without it, they are in memory. */
  dataDirectory?: string | undefined;
  /** URL of a DynamoDB engine that is already running, to use instead of dynalite. */
  endpoint?: string | undefined;
}

type TableProperties = Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'>;

/** Starts the engine, and creates the tables of the template that it lacks. */
export const startTables = async (template: Template, options: TableOptions) => {
  const engine = await startEngine(options);
  const { endpoint } = engine;
  const client = new DynamoDB({
    endpoint,
    region,
    credentials,
    maxAttempts: 2,
    requestHandler: { requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  for (const [TableName, properties] of template.resources<TableProperties>(
    'AWS::DynamoDB::GlobalTable',
  )) {
    await createIfMissing(client, TableName, properties);
  }
  return {
    /** URL of the DynamoDB API. */
    endpoint,
    client,
    close: async () => {
      client.destroy();
      await engine.close();
    },
  };
};

const startEngine = async ({ endpoint, dataDirectory }: TableOptions) => {
  if (endpoint !== undefined) {
    return { endpoint, close: async () => {} };
  }
  if (dataDirectory === undefined) {
    return startDynalite();
  }
  // LevelDB deletes files by their name, so it gets a directory of its own.
  const directory = join(dataDirectory, 'petstore-tables');
  await mkdir(directory, { recursive: true });
  return startDynalite(directory);
};

const createIfMissing = async (
  client: DynamoDB,
  TableName: string,
  { AttributeDefinitions, KeySchema }: TableProperties,
): Promise<void> => {
  const table = { TableName, AttributeDefinitions, KeySchema };
  try {
    await client.createTable({ ...table, BillingMode: 'PAY_PER_REQUEST' });
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) {
      throw error;
    }
  }
  // An engine that writes to disk reports a table as created before it accepts requests for the
  // table.
  await waitUntilTableExists(
    { client, minDelay: 0.05, maxDelay: 0.5, maxWaitTime: 30 },
    { TableName },
  );
};
