/**
 * Runs a local DynamoDB engine with filled tables of a stack. Sends its URL and an API key to its
 * parent process.
 */
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { startTables } from '../local/tables/tables.ts';
import { loadSample } from '../ops/inventory/load-sample.ts';
import { issueApiKey } from '../ops/keys/issued-keys.ts';

const [, , assemblyDirectory = '', stageName = ''] = process.argv;
const stack = readStack(assemblyDirectory, stageName);
const { client, endpoint } = await startTables(stack, {
  dataDirectory: undefined,
  endpoint: undefined,
});
await loadSample({ client, TableName: stack.output('InventoryTableName') });
const keysTable = { client, TableName: stack.output('ApiKeysTableName') };
const { apiKey } = await issueApiKey(keysTable, { stageName, name: 'npm run bench' });

process.on('disconnect', () => process.exit());
process.send?.({ endpoint, apiKey });
