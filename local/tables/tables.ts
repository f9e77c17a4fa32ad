import {
  type CreateTableCommandInput,
  DynamoDB,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { startDynalite } from './dynalite-engine.ts';

/** Placeholder credentials: local engines accept any. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export interface TableOptions {
  /** Directory in which dynalite keeps its tables; without it, they are in memory. */
  dataDirectory: string | undefined;
  /** URL of a DynamoDB engine that is already running, to use instead of dynalite. */
  endpoint: string | undefined;
}

type TableProperties = Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'>;

/**
 * Creates the stack's missing tables in dynalite, whose data directory must exist, or in another
 * engine.
 * @throws Error with the code ENOENT if the other engine cannot be used
 */
export const startTables = async (stack: SynthesizedStack, options: TableOptions) => {
  const engine = options.endpoint
    ? { endpoint: options.endpoint, close: async () => {} }
    : await startDynalite(options.dataDirectory);
  const { endpoint } = engine;
  const client = new DynamoDB({
    endpoint,
    region: stack.account.region,
    credentials: localCredentials,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    maxAttempts: 2,
    requestHandler: { requestTimeout: 5_000, throwOnRequestTimeout: true },
  });

  const tables = stack.resources<TableProperties>('AWS::DynamoDB::GlobalTable');
  for (const [logicalId, properties] of tables) {
    const TableName = stack.ref(logicalId);
    await createIfMissing(client, TableName, properties).catch((error) => {
      throw options.endpoint ? unusableEngine(options.endpoint, error) : error;
    });
    // An engine that writes to disk reports a table as created before it accepts requests for the
    // table.
    const waiting = { client, minDelay: 0.05, maxDelay: 0.5, maxWaitTime: 30 };
    await waitUntilTableExists(waiting, { TableName });
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

const unusableEngine = (endpoint: string, cause: NodeJS.ErrnoException): Error => {
  // Some errors of connections have only a code.
  const ownReason = cause.message || cause.code;
  const reason = cause.name === 'TimeoutError' ? 'it does not answer.' : ownReason;
  const message = `--dynamodb ${endpoint} cannot be used as an engine of DynamoDB: ${reason}`;
  return Object.assign(new Error(message, { cause }), { code: 'ENOENT' });
};
