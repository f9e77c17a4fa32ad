import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import type { Target } from './account.ts';
import type { SynthesizedStack } from './assembly.ts';
import type { Finding } from './finding.ts';

const check = 'bootstrap';

/** Whether `cdk bootstrap` has prepared the account and region, recently enough. */
export const checkBootstrap = async (
  { account, client }: Target,
  { bootstrap: { parameterName, version: needed } }: SynthesizedStack,
): Promise<Finding[]> => {
  const command = `npx cdk bootstrap aws://${account}/${client.region}`;
  try {
    const { Parameter } = await new SSMClient(client).send(new GetParameterCommand({ Name: parameterName }));
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
