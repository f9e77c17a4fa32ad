import {
  type CreateTableCommandInput,
  DynamoDB,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Template } from '../assembly/template.ts';
import { localClient } from '../shared/account.ts';
import { startDynalite } from './dynalite-engine.ts';

/** Starts the built-in engine, unless PETSTORE_DYNAMODB_URL names another one, as tests do. */
export const startEngine = async (): Promise<{ endpoint: string; close(): Promise<void> }> => {
  const { PETSTORE_DYNAMODB_URL: endpoint } = process.env;
  return endpoint === undefined ? startDynalite() : { endpoint, close: async () => {} };
};

type TableProperties = Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'>;

/** Creates the tables of the template that the engine lacks. Returns a client of them. */
export const createTables = async (template: Template, endpoint: string): Promise<DynamoDB> => {
  const client = new DynamoDB({ ...localClient, endpoint });
  const tables = template.resources<TableProperties>('AWS::DynamoDB::GlobalTable');
  for (const [TableName, properties] of tables) {
    await createIfMissing(client, TableName, properties);
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
  }
  return client;
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
};
