import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, resolve } from 'node:path';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { Level } from 'level';
import { localAccount, type SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';

/** Credentials that local engines take: any. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export interface TableOptions {
  /** Keeps the tables; without it they are in memory. */
  dataDirectory: string | undefined;
  /** A DynamoDB engine that runs already, instead of dynalite. */
  endpoint: string | undefined;
}

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

/** Level by level: Node's own recursion never ends where the system says that a parent is missing, as in /proc. */
const makeDirectory = async (path: string): Promise<void> => {
  if (!existsSync(path)) {
    await makeDirectory(dirname(path));
    await mkdir(path);
  }
};

/**
 * Opens the store of a data directory and closes it again, creating it if need be.
 * dynalite would end the process on a directory that another run holds or that is none.
 */
export const checkDataDirectory = async (dataDirectory: string): Promise<void> => {
  await makeDirectory(resolve(dataDirectory));
  const store = new Level(dataDirectory);
  await store.open().catch((error: Error) => {
    const cause = (error.cause ?? error) as Error & { code?: string };
    throw new Error(cause.code === 'LEVEL_LOCKED' ? 'another run is using it.' : cause.message);
  });
  await store.close();
};

const startDynalite = async (dataDirectory: string | undefined) => {
  const server = dynalite({ createTableMs: 0, ...(dataDirectory && { path: dataDirectory }) });
  // Closing idle connections would, on a busy machine, cut off requests that have come and are not read yet.
  server.keepAliveTimeout = 0;
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

/** Creates every table of the stack that is not there, in dynalite (its directory must exist) or another engine. */
export const startTables = async (
  stack: SynthesizedStack,
  { dataDirectory, endpoint: givenEndpoint }: TableOptions,
): Promise<LocalTables> => {
  const engine = givenEndpoint
    ? { endpoint: givenEndpoint, close: async () => {} }
    : await startDynalite(dataDirectory);
  const { endpoint } = engine;
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
      await engine.close();
    },
  };
};
