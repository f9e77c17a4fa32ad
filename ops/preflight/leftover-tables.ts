import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import type { Check } from './deployment.ts';

/**
 * Finds tables whose names CloudFormation made for a stack of this name, but that the stack does
 * not own.
 */
export const checkLeftovers: Check = async ({ client, stack, deployed }, report) => {
  const owned = new Set((await deployed)?.resources.values());
  const pages = await Array.fromAsync(
    paginateListTables({ client: new DynamoDBClient(client) }, {}),
  );
  const tables = pages.flatMap(({ TableNames = [] }) => TableNames);
  const left = tables.filter((name) => name.startsWith(`${stack.stackName}-`) && !owned.has(name));
  for (const name of left) {
    const origin = 'a failed first deployment or a destroyed stage left it behind';
    report(
      'warning',
      `${name} belongs to no stack: ${origin}. ` +
        `To delete it, once its data is no longer needed: ${deletionOf(name, client.region)}`,
    );
  }
  if (left.length === 0) {
    report('ok', 'None.');
  }
};

const deletionOf = (table: string, region: string): string =>
  ['update-table --no-deletion-protection-enabled', 'wait table-exists', 'delete-table']
    .map((command) => `aws dynamodb ${command} --region ${region} --table-name ${table}`)
    .join(' && ');
