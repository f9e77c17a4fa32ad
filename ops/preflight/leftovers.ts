import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { Account } from './account.ts';
import type { DeployedStack } from './deployed-stack.ts';
import type { Finding } from './finding.ts';

const check = 'leftover tables';

/** Tables that CloudFormation named for a stack of this name, and that the stack does not have. */
export const checkLeftovers = async (
  { client }: Account,
  { stackName }: CloudFormationStackArtifact,
  deployed: DeployedStack | undefined,
): Promise<Finding[]> => {
  const own = new Set(deployed?.resources.values());
  const findings: Finding[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: new DynamoDBClient(client) }, {})) {
    for (const name of TableNames.filter((table) => table.startsWith(`${stackName}-`) && !own.has(table))) {
      const aws = (command: string) => `aws dynamodb ${command} --region ${client.region} --table-name ${name}`;
      const commands = [
        aws('update-table --no-deletion-protection-enabled'),
        aws('wait table-exists'),
        aws('delete-table'),
      ];
      const message =
        `${name} belongs to no stack; a failed first deployment or a destroyed stage has left it. ` +
        `Once nothing in it is needed: ${commands.join(' && ')}`;
      findings.push({ check, outcome: 'warning', message });
    }
  }
  return findings.length > 0 ? findings : [{ check, outcome: 'ok', message: 'None.' }];
};
