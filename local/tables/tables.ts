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
 */
export const startTables = async (
  stack: SynthesizedStack,
  { dataDirectory, endpoint: given }: TableOptions,
) => {
  const engine = given
    ? { endpoint: given, close: async () => {} }
    : await startDynalite(dataDirectory);
  const { endpoint } = engine;
  const { region } = stack.account;
  const place = { endpoint, region, useFipsEndpoint: false, useDualstackEndpoint: false };
  const patience = {
    maxAttempts: 2,
    requestHandler: { requestTimeout: 5_000, throwOnRequestTimeout: true },
  };
  const client = new DynamoDB({ ...place, ...patience, credentials: localCredentials });

  for (const [logicalId, properties] of stack.resources<TableProperties>(
    'AWS::DynamoDB::GlobalTable',
  )) {
    const { AttributeDefinitions, KeySchema } = properties;
    const table = { TableName: stack.ref(logicalId), AttributeDefinitions, KeySchema };
    try {
      await client.createTable({ ...table, BillingMode: 'PAY_PER_REQUEST' });
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) {
        const { name, message: own, code } = error as NodeJS.ErrnoException;
        const reason = name === 'TimeoutError' ? 'it does not answer.' : own || code;
        const message = `--dynamodb ${endpoint} cannot be used as an engine of DynamoDB: ${reason}`;
        throw given
          ? Object.assign(new Error(message, { cause: error }), { code: 'ENOENT' })
          : error;
      }
    }
    // An engine that writes to disk reports a table as created before it accepts requests for the
    // table.
    const patience = { client, minDelay: 0.05, maxDelay: 0.5, maxWaitTime: 30 };
    await waitUntilTableExists(patience, { TableName: table.TableName });
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
