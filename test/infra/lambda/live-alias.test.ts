import { expect, test } from '@jest/globals';
import { readable, templates } from '../../support/synthesized.ts';

const sumOf = (Id: string, Namespace: string, MetricName: string, dimensions: Record<string, string>) => {
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  return {
    Id,
    MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period: 60, Stat: 'Sum' },
    ReturnData: false,
  };
};

test.each([
  ['staging', 'Authorizer', 'AllAtOnce', 5],
  ['staging', 'ListInventory', 'AllAtOnce', 10],
  ['staging', 'UpdateInventory', 'AllAtOnce', 5],
  ['prod', 'Authorizer', 'Canary10Percent10Minutes', 5],
  // Metrics of a list come up to five minutes late.
  ['prod', 'ListInventory', 'Canary10Percent15Minutes', 10],
  ['prod', 'UpdateInventory', 'Canary10Percent10Minutes', 5],
])('in %s, traffic of %s shifts %s to a new version, and back when that fails', (stageName, name, shift, periods) => {
  const { Resources } = readable(templates[stageName]);
  const version = `${name}CurrentVersion`;
  const ofVersion = `<${version}.Version>`;
  const alarm = `${stageName}petstoreinventory${name}LiveNewVersionFails`;

  // A version that a rollback undoes goes: its code could not be deployed again.
  expect(Resources[version]).toMatchObject({
    Properties: { FunctionName: `<${name}>` },
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
  });
  expect(Resources[`${name}Live`]).toMatchObject({
    Properties: { FunctionName: `<${name}>`, FunctionVersion: ofVersion, Name: 'live' },
    UpdatePolicy: { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: `<${name}LiveDeployment>` } },
  });
  expect(Resources[`${name}LiveDeployment`]?.Properties).toMatchObject({
    DeploymentConfigName: `CodeDeployDefault.Lambda${shift}`,
    AlarmConfiguration: { Enabled: true, Alarms: [{ Name: `<${alarm}>` }] },
    AutoRollbackConfiguration: {
      Enabled: true,
      Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
    },
  });
  // For each error and fault of that version, even if its metrics come late.
  expect(Resources[alarm]?.Properties).toMatchObject({
    Metrics: [
      { Expression: 'FILL(errors, 0) + FILL(faults, 0)', ReturnData: true },
      sumOf('errors', 'AWS/Lambda', 'Errors', {
        ExecutedVersion: ofVersion,
        FunctionName: `<${name}>`,
        Resource: `<${name}>:live`,
      }),
      sumOf('faults', 'PetstoreInventory', 'Faults', { FunctionName: `<${name}>`, FunctionVersion: ofVersion }),
    ],
    DatapointsToAlarm: 1,
    EvaluationPeriods: periods,
    Threshold: 1,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
  });
  // A new version gets an alarm of its own, which cannot be in ALARM yet.
  const idsWith = (part: string) =>
    Object.keys(templates[stageName]?.Resources ?? {}).filter((id) => id.includes(part));
  const [versionId = ''] = idsWith(version);
  expect(idsWith(alarm).map((id) => id.slice(-8))).toEqual([versionId.slice(-8)]);
});
