import {
  type CreateTableCommandInput,
  type DynamoDB,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import type { Template } from '../assembly/template.ts';
import { startDynalite } from './dynalite-engine.ts';
import { localDynamodb, untilTableExists } from './local-dynamodb.ts';

export interface TableOptions {
  /** Directory in which dynalite keeps its tables; without it, they are in memory. */
  dataDirectory?: string | undefined;
  /** URL of a DynamoDB engine that is already running, to use instead of dynalite. */
  endpoint?: string | undefined;
}

/** A DynamoDB engine that runs on this machine. */
export interface Engine {
  /** Its URL. */
  endpoint: string;
  /** Ends it, unless others have started it. */
  close(): Promise<void>;
}

/** Starts the built-in engine, unless another one is given. */
export const startEngine = async ({ endpoint, dataDirectory }: TableOptions): Promise<Engine> =>
  endpoint === undefined ? startDynalite(dataDirectory) : { endpoint, close: async () => {} };

type TableProperties = Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'>;

/** Creates the tables of the template that the engine lacks. Returns a client of them. */
export const createTables = async (template: Template, endpoint: string): Promise<DynamoDB> => {
  const client = localDynamodb(endpoint);
  const tables = template.resources<TableProperties>('AWS::DynamoDB::GlobalTable');
  for (const [TableName, properties] of tables) {
    await createIfMissing(client, TableName, properties);
    await untilTableExists(client, TableName);
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
