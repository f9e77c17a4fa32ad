import {
  type CreateTableCommandInput,
  DynamoDB,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { unusableDirectory } from './data-directory.ts';
import { startDynalite } from './dynalite-engine.ts';

/** Placeholder credentials: local engines accept any. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export interface TableOptions {
  /** Directory in which dynalite keeps its tables; without it, they are in memory. */
  dataDirectory: string | undefined;
  /** URL of a DynamoDB engine that is already running, to use instead of dynalite. */
  endpoint: string | undefined;
  /** Milliseconds within which the engine must answer a request; 5,000 by default. */
  timeoutMs?: number;
}

type TableProperties = Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'>;

/**
 * Starts the engine, and creates the tables of the stack that it lacks.
 * @throws Error with the code ENOENT if the data directory or the other engine cannot be used
 */
export const startTables = async (stack: SynthesizedStack, options: TableOptions) => {
  const engine = await startEngine(options);
  const client = new DynamoDB({
    endpoint: engine.endpoint,
    region: stack.account.region,
    credentials: localCredentials,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    maxAttempts: 2,
    requestHandler: { requestTimeout: options.timeoutMs ?? 5_000, throwOnRequestTimeout: true },
  });
  await createTables(client, stack).catch((error) => {
    throw options.endpoint ? unusableEngine(options.endpoint, error) : error;
  });
  return {
    /** URL of the DynamoDB API. */
    endpoint: engine.endpoint,
    client,
    close: async () => {
      client.destroy();
      await engine.close();
    },
  };
};

/** Starts dynalite, whose data directory must be prepared, unless another engine is given. */
const startEngine = async ({ endpoint, dataDirectory }: TableOptions) => {
  if (endpoint !== undefined) {
    return { endpoint, close: async () => {} };
  }
  return startDynalite(dataDirectory).catch((cause: Error) => {
    throw dataDirectory === undefined ? cause : unusableDirectory(dataDirectory, cause);
  });
};

/** Creates the tables of the stack that the engine lacks. */
export const createTables = async (client: DynamoDB, stack: SynthesizedStack): Promise<void> => {
  const tables = stack.resources<TableProperties>('AWS::DynamoDB::GlobalTable');
  for (const [logicalId, properties] of tables) {
    const TableName = stack.ref(logicalId);
    await createIfMissing(client, TableName, properties);
    // An engine that writes to disk reports a table as created before it accepts requests for the
    // table.
    const waiting = { client, minDelay: 0.05, maxDelay: 0.5, maxWaitTime: 30 };
    await waitUntilTableExists(waiting, { TableName });
  }
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
