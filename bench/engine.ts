/** The process of the local DynamoDB engine: tables of the stack in the directory given, filled; sends what candidates need. */
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { startTables } from '../local/tables/tables.ts';
import { issueApiKey } from '../ops/keys/issued-keys.ts';
import { loadSample } from '../ops/load-sample.ts';

const [, , assemblyDirectory = '', stageName = ''] = process.argv;
const stack = readStack(assemblyDirectory, stageName);
const { client, endpoint } = await startTables(stack, { dataDirectory: undefined, endpoint: undefined });
const { InventoryTableName = '', ApiKeysTableName = '' } = stack.outputs;
await loadSample({ client, TableName: InventoryTableName });
const { apiKey } = await issueApiKey({ client, TableName: ApiKeysTableName }, stageName, { name: 'npm run bench' });

process.on('disconnect', () => process.exit());
process.send?.({ endpoint, apiKey });
