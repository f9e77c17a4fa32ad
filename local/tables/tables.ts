import {
  type AttributeDefinition,
  CreateTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { localAccount, type SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { startDynalite } from './dynalite-engine.ts';

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
