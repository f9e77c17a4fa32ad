import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { synthesize } from '../../infra/assembly/synthesize.ts';
import { CliError } from '../cli/cli-error.ts';
import { findAccount } from './account.ts';
import { checkAlarmTopic } from './alarm-topic.ts';
import { checkBootstrap } from './bootstrap.ts';
import { checkChanges } from './changes.ts';
import { readDeployedStack } from './deployed-stack.ts';
import { type Finding, reasonOf } from './finding.ts';
import { checkLeftovers } from './leftovers.ts';
import { checkApiGateway, checkLambda, checkResourceCount } from './quotas.ts';

/**
 * The stack of a stage in a cloud assembly.
 * @throws CliError if it is not there
 */
export const readStack = (assembly: string, stageName: string): CloudFormationStackArtifact => {
  try {
    return stageStack(assembly, stageName);
  } catch (error) {
    throw new CliError('invalid', (error as Error).message);
  }
};

/** A check that could not be made says so; what it guards against could then not be seen. */
const attempt = (check: string, outcome: Finding['outcome'], findings: Promise<Finding[]>): Promise<Finding[]> =>
  findings.catch((error) => [{ check, outcome, message: `Could not be checked. ${reasonOf(error)}` }]);

/** Makes every check that can be made before a stage is deployed from a cloud assembly. */
export const runChecks = async (
  stageName: string,
  assembly: string | undefined,
  appOption: string,
): Promise<Finding[]> => {
  const stack = readStack(assembly ?? (await synthesize('*')), stageName);
  const cdk = (command: string) => `npx cdk ${command} '${stageName}/*'${appOption}`;
  const { findings, account } = await findAccount(stack);
  if (account) {
    const deployed = readDeployedStack(account, stack.stackName);
    const others = [
      attempt('bootstrap', 'warning', checkBootstrap(account, stack)),
      attempt('API Gateway account', 'warning', checkApiGateway(account, stack)),
      attempt('Lambda concurrency', 'warning', checkLambda(account, stack, deployed)),
      attempt('changes', 'stop', checkChanges(deployed, stack, cdk)),
      attempt('leftover tables', 'warning', checkLeftovers(account, stack, deployed)),
      ...(stageName === 'prod'
        ? [attempt('alarm subscribers', 'warning', checkAlarmTopic(account, stack, deployed))]
        : []),
    ];
    findings.push(...(await Promise.all(others)).flat());
  }
  return [...findings, checkResourceCount(stack)];
};
