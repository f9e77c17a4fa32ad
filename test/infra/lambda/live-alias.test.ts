import { expect, test } from '@jest/globals';
import { stackOf, templates } from '../../support/stack/synthesized.ts';

test.each([
  ['staging', 'Authorizer', 'AllAtOnce'],
  ['staging', 'ListInventory', 'AllAtOnce'],
  ['staging', 'UpdateInventory', 'AllAtOnce'],
  ['prod', 'Authorizer', 'Canary10Percent10Minutes'],
  // The metrics of a list arrive up to five minutes late.
  ['prod', 'ListInventory', 'Canary10Percent15Minutes'],
  ['prod', 'UpdateInventory', 'Canary10Percent10Minutes'],
])(
  'in %s, traffic of %s shifts to a new version by %s, and back if that version fails',
  (stageName, name, shift) => {
    const version = `${name}CurrentVersion`;
    const alarm = `${stageName}petstoreinventory${name}LiveNewVersionFails`;
    const { of, Resources } = stackOf(stageName);
    // A rollback deletes the version that failed; otherwise the same code could not be deployed
    // again.
    const policies = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };
    expect(Resources[version]).toMatchObject({
      Properties: { FunctionName: `<${name}>` },
      ...policies,
    });
    expect(Resources[`${name}Live`]).toMatchObject({
      Properties: {
        FunctionName: `<${name}>`,
        FunctionVersion: `<${version}.Version>`,
        Name: 'live',
      },
      UpdatePolicy: {
        CodeDeployLambdaAliasUpdate: { DeploymentGroupName: `<${name}LiveDeployment>` },
      },
    });
    expect(of('AWS::CodeDeploy::DeploymentGroup')[`${name}LiveDeployment`]).toMatchObject({
      DeploymentConfigName: `CodeDeployDefault.Lambda${shift}`,
      AlarmConfiguration: { Enabled: true, Alarms: [{ Name: `<${alarm}>` }] },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
    // A new version gets an alarm of its own, which cannot be in ALARM yet.
    const ids = Object.keys(templates[stageName]?.Resources ?? {});
    const hashesOf = (resource: string) =>
      ids.filter((id) => id.includes(resource)).map((id) => id.slice(-8));
    expect(hashesOf(alarm)).toEqual(hashesOf(version));
  },
);
