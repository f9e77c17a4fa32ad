import { synthesize } from '../../infra/assembly/synthesize.ts';
import { findAccount } from './account.ts';
import { checkChanges } from './changes.ts';
import { type Check, deployedStack, synthesizedStack } from './deployment.ts';
import { type Finding, type Report, reasonOf } from './finding.ts';
import { checkApiGateway, checkLambda } from './quotas.ts';
import { checkAlarmTopic, checkBootstrap, checkLeftovers } from './surroundings.ts';

/** The checks, each with its outcome if it cannot be made. */
const checks: [name: string, unreadable: Finding['outcome'], check: Check][] = [
  ['bootstrap', 'warning', checkBootstrap],
  ['API Gateway account', 'warning', checkApiGateway],
  ['Lambda concurrency', 'warning', checkLambda],
  ['changes', 'stop', checkChanges],
  ['leftover tables', 'warning', checkLeftovers],
  ['alarm subscribers', 'warning', checkAlarmTopic],
];

const collect = (name: string): { findings: Finding[]; report: Report } => {
  const findings: Finding[] = [];
  return { findings, report: (outcome, message, check = name) => void findings.push({ check, outcome, message }) };
};

/** Makes every check that can be made before a stage is deployed from a cloud assembly. */
export const runChecks = async (
  stageName: string,
  assembly: string | undefined,
  appOption: string,
): Promise<Finding[]> => {
  const stack = synthesizedStack(assembly ?? (await synthesize('*')), stageName);
  const first = collect('account');
  const account = await findAccount(stack, first.report);
  if (!account) {
    return first.findings;
  }
  const cdk = (command: string) => `npx cdk ${command} '${stageName}/*'${appOption}`;
  const deployment = { ...account, stageName, stack, deployed: deployedStack(account, stack.stackName), cdk };
  const others = checks.map(async ([name, unreadable, check]) => {
    const { findings, report } = collect(name);
    await check(deployment, report).catch((error) => report(unreadable, `Could not be checked. ${reasonOf(error)}`));
    return findings;
  });
  return [first.findings, ...(await Promise.all(others))].flat();
};
