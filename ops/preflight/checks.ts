import { synthesize } from '../../infra/assembly/synthesize.ts';
import { checkFaults, checkSubscribers } from './alarms.ts';
import { checkApiGateway } from './api-gateway.ts';
import { checkBootstrap } from './bootstrap.ts';
import { checkChanges } from './changes.ts';
import { type Check, findDeployment } from './deployment.ts';
import { type Finding, type Report, reasonOf } from './finding.ts';
import { checkReservation } from './lambda-concurrency.ts';
import { checkLeftovers } from './leftover-tables.ts';
import { checkLists } from './lists.ts';

interface NamedCheck {
  name: string;
  /** What to report if the check cannot be made. */
  ifUnreadable: Finding['outcome'];
  check: Check;
}

const checks: NamedCheck[] = [
  { name: 'bootstrap', ifUnreadable: 'warning', check: checkBootstrap },
  { name: 'API Gateway account', ifUnreadable: 'warning', check: checkApiGateway },
  { name: 'Lambda concurrency', ifUnreadable: 'warning', check: checkReservation },
  { name: 'lists', ifUnreadable: 'warning', check: checkLists },
  { name: 'changes', ifUnreadable: 'stop', check: checkChanges },
  { name: 'leftover tables', ifUnreadable: 'warning', check: checkLeftovers },
  { name: 'alarm subscribers', ifUnreadable: 'warning', check: checkSubscribers },
  { name: 'Faults alarm', ifUnreadable: 'warning', check: checkFaults },
];

interface Checked {
  stageName: string;
  /** The directory of a cloud assembly. Without one, it is synthesized. */
  assembly: string | undefined;
  /** The option that names the assembly, as the operator gave it; '' without one. */
  assemblyOption: string;
}

/** Makes every check that can be made before a stage is deployed from a cloud assembly. */
export const runChecks = async (checked: Checked): Promise<Finding[]> => {
  const { stageName, assemblyOption } = checked;
  const assembly = checked.assembly ?? (await synthesize('*'));
  const findings: Finding[] = [];
  const report = reportTo(findings, 'account');
  const deployment = await findDeployment({ stageName, assembly, assemblyOption, report });
  if (!deployment) {
    return findings;
  }
  const others = checks.map(async ({ name, ifUnreadable, check }) => {
    const found: Finding[] = [];
    const reportFound = reportTo(found, name);
    await check(deployment, reportFound).catch((error) =>
      reportFound(ifUnreadable, `Could not be checked. ${reasonOf(error)}`),
    );
    return found;
  });
  return [findings, ...(await Promise.all(others))].flat();
};

const reportTo =
  (findings: Finding[], name: string): Report =>
  (outcome, message, check = name) =>
    void findings.push({ check, outcome, message });
