import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';

const check = 'bootstrap';

/** Whether `cdk bootstrap` has prepared the account and region, recently enough. */
export const checkBootstrap = async (
  { accountId, client }: Account,
  { bootstrapStackVersionSsmParameter: Name, requiresBootstrapStackVersion: needed = 0 }: CloudFormationStackArtifact,
): Promise<Finding[]> => {
  const command = `npx cdk bootstrap aws://${accountId}/${client.region}`;
  try {
    const { Parameter } = await new SSMClient(client).send(new GetParameterCommand({ Name }));
    const version = Number(Parameter?.Value);
    const enough = version >= needed;
    const message = `Version ${version}, and ${needed} is needed${enough ? '.' : `: ${command}`}`;
    return [{ check, outcome: enough ? 'ok' : 'stop', message }];
  } catch (error) {
    if (error instanceof ParameterNotFound) {
      return [{ check, outcome: 'stop', message: `The account and region are not prepared: ${command}` }];
    }
    throw error;
  }
};
