/** The process of the local DynamoDB engine: tables of the stack in the directory given, filled; sends what rows need. */
import { sampleInventory } from '../local/sample-inventory.ts';
import { issueApiKey, putInventory } from '../local/seed.ts';
import { readStack } from '../local/synthesized-stack.ts';
import { startTables } from '../local/tables.ts';

const [, , assemblyDirectory = '', stageName = ''] = process.argv;
const stack = readStack(assemblyDirectory, stageName);
const { client, endpoint } = await startTables(stack, { dataDirectory: undefined, endpoint: undefined });
const { InventoryTableName = '', ApiKeysTableName = '' } = stack.outputs;
await putInventory(client, InventoryTableName, sampleInventory);
const apiKey = await issueApiKey(client, ApiKeysTableName, stageName, { name: 'npm run bench' });

process.on('disconnect', () => process.exit());
process.send?.({ endpoint, apiKey });
