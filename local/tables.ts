import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { Level } from 'level';
import { localAccount, type SynthesizedStack } from './synthesized-stack.ts';

/** Credentials that local engines take: any. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export interface LocalTables {
  /** URL of the DynamoDB API. */
  endpoint: string;
  client: DynamoDBClient;
  /** Names of the tables that this start created; the others were there, with their data. */
  created: string[];
  close(): Promise<void>;
}

interface TableProperties {
  AttributeDefinitions: AttributeDefinition[];
  KeySchema: KeySchemaElement[];
}

/**
 * Opens the store of a data directory and closes it again, creating it if need be.
 * dynalite would end the process on a directory that another run holds or that is none.
 */
export const checkDataDirectory = async (dataDirectory: string): Promise<void> => {
  const store = new Level(dataDirectory);
  await store.open().catch((error: Error) => {
    const cause = (error.cause ?? error) as Error & { code?: string };
    throw new Error(cause.code === 'LEVEL_LOCKED' ? 'another run is using it.' : cause.message);
  });
  await store.close();
};

/** Where the tables are: in another DynamoDB, in a directory, or in memory. */
export interface TableOptions {
  dynamodbEndpoint?: string | undefined;
  dataDirectory?: string | undefined;
}

const startDynalite = async (dataDirectory: string | undefined) => {
  const server = dynalite({ createTableMs: 0, ...(dataDirectory && { path: dataDirectory }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};

/** Starts dynalite, unless another DynamoDB is to be used, and creates the tables of the stack that are not there. */
export const startTables = async (stack: SynthesizedStack, options: TableOptions): Promise<LocalTables> => {
  const { dynamodbEndpoint, dataDirectory } = options;
  const engine = dynamodbEndpoint ? undefined : await startDynalite(dataDirectory);
  const endpoint = engine?.endpoint ?? dynamodbEndpoint ?? '';
  const client = new DynamoDBClient({ endpoint, region: localAccount.region, credentials: localCredentials });

  const created: string[] = [];
  for (const [logicalId, { AttributeDefinitions, KeySchema }] of stack.resources<TableProperties>(
    'AWS::DynamoDB::GlobalTable',
  )) {
    const TableName = stack.ref(logicalId);
    try {
      await client.send(
        new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode: 'PAY_PER_REQUEST' }),
      );
      created.push(TableName);
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) {
        throw error;
      }
    }
  }

  return {
    endpoint,
    client,
    created,
    close: async () => {
      client.destroy();
      await engine?.close();
    },
  };
};
