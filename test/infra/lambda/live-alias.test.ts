import { describe, expect, test } from '@jest/globals';
import { deliveredStack, deliveredTemplate } from '../../support/stack/in-process.ts';
import type { Json } from '../../support/stack/template.ts';
import { functionNames, isList } from '../service/documented-operations.ts';

const [canary10, canary15] = ['Canary10Percent10Minutes', 'Canary10Percent15Minutes'];

const ofStaging = functionNames.map((name) => ({
  stageName: 'staging' as const,
  name,
  shift: 'AllAtOnce',
}));
const ofProd = functionNames.map((name) => ({
  stageName: 'prod' as const,
  name,
  // The metrics of a list arrive up to five minutes late.
  shift: isList(name) ? canary15 : canary10,
}));

test.each([...ofStaging, ...ofProd])(
  'in $stageName, traffic of $name shifts by $shift',
  ({ stageName, name, shift }) => {
    const groups = deliveredStack(stageName).byName('AWS::CodeDeploy::DeploymentGroup');
    expect(groups[`${name}LiveDeployment`].DeploymentConfigName).toBe(
      `CodeDeployDefault.Lambda${shift}`,
    );
  },
);

const aliases = functionNames.map((name) => ({
  name,
  alarms: isList(name) ? ['NewVersionFaults'] : ['NewVersionErrors', 'NewVersionFaults'],
}));

describe.each(aliases)('in prod, the live alias of $name', ({ name, alarms }) => {
  const resources = () => deliveredStack('prod').Resources;
  const version = `${name}CurrentVersion`;
  const alarmIds = alarms.map((alarm) => `prodpetstoreinventory${name}Live${alarm}`);
  const deploymentGroup = (): Json => resources()[`${name}LiveDeployment`].Properties;

  test('is of the current version, and is shifted by CodeDeploy', () => {
    expect(resources()[`${name}Live`]).toMatchObject({
      Properties: {
        FunctionName: `<${name}>`,
        FunctionVersion: `<${version}.Version>`,
        Name: 'live',
      },
      UpdatePolicy: {
        CodeDeployLambdaAliasUpdate: { DeploymentGroupName: `<${name}LiveDeployment>` },
      },
    });
  });

  // A rollback deletes the version that failed; otherwise the same code could not be deployed
  // again.
  test('leaves old versions', () => {
    expect(resources()[version]).toMatchObject({
      Properties: { FunctionName: `<${name}>` },
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  });

  test('shifts back if the new version fails', () => {
    const group = deploymentGroup();
    expect(group).toMatchObject({
      AlarmConfiguration: { Enabled: true },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
    const watched = group.AlarmConfiguration.Alarms.map(({ Name }: Json) => Name);
    expect(watched.sort()).toEqual(alarmIds.map((id) => `<${id}>`));
  });

  test('has alarms of the version, which cannot be in ALARM yet', () => {
    const ids = Object.keys(deliveredTemplate('prod').Resources);
    const hashOf = (resource: string) => ids.find((id) => id.includes(resource))?.slice(-8);
    expect(alarmIds.map(hashOf)).toEqual(alarmIds.map(() => hashOf(version)));
  });
});
