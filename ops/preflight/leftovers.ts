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
  reading: Promise<DeployedStack | undefined>,
): Promise<Finding[]> => {
  const own = new Set((await reading)?.resources.values());
  const left: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: new DynamoDBClient(client) }, {})) {
    left.push(...TableNames.filter((name) => name.startsWith(`${stackName}-`) && !own.has(name)));
  }
  const findings = left.map((name): Finding => {
    const aws = (command: string) => `aws dynamodb ${command} --region ${client.region} --table-name ${name}`;
    const commands = ['update-table --no-deletion-protection-enabled', 'wait table-exists', 'delete-table'].map(aws);
    const message = `${name} belongs to no stack; a failed first deployment or a destroyed stage has left it.`;
    return { check, outcome: 'warning', message: `${message} Once nothing in it is needed: ${commands.join(' && ')}` };
  });
  return findings.length > 0 ? findings : [{ check, outcome: 'ok', message: 'None.' }];
};
