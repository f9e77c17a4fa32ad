import { describe, expect, test } from '@jest/globals';
import { logicalId, resourcesOf, type Template, templates } from '../../support/synthesized.ts';

const canary = (minutes: number) => `CodeDeployDefault.LambdaCanary10Percent${minutes}Minutes`;
const allAtOnce = 'CodeDeployDefault.LambdaAllAtOnce';

describe.each([
  ['staging', 'Authorizer', allAtOnce, 5],
  ['staging', 'ListInventory', allAtOnce, 10],
  ['staging', 'UpdateInventory', allAtOnce, 5],
  ['prod', 'Authorizer', canary(10), 5],
  // Metrics of a list come up to five minutes late.
  ['prod', 'ListInventory', canary(15), 10],
  ['prod', 'UpdateInventory', canary(10), 5],
])('in %s, the traffic of %s', (stageName, name, deploymentConfig, periods) => {
  const template = templates[stageName] as Template;
  const lambda = logicalId(template, 'AWS::Lambda::Function', name);
  const [version = ''] = Object.keys(resourcesOf(template, 'AWS::Lambda::Version')).filter((id) =>
    id.startsWith(`${name}CurrentVersion`),
  );
  const [[alarmId, alarm] = [], ...others] = Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm')).filter(
    ([id]) => id.includes(`${name}LiveNewVersion`),
  );
  const group = logicalId(template, 'AWS::CodeDeploy::DeploymentGroup', `${name}LiveDeployment`);

  test('shifts to a version that stays, to go back to', () => {
    // One that a rollback undoes goes: its code could not be deployed again.
    expect(template.Resources[version]).toMatchObject({
      Properties: { FunctionName: { Ref: lambda } },
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    expect(template.Resources[logicalId(template, 'AWS::Lambda::Alias', `${name}Live`)]).toMatchObject({
      Properties: {
        FunctionName: { Ref: lambda },
        FunctionVersion: { 'Fn::GetAtt': [version, 'Version'] },
        Name: 'live',
      },
      UpdatePolicy: { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: group } } },
    });
  });

  test('goes back when an alarm of that version says so', () => {
    expect(template.Resources[group]?.Properties).toMatchObject({
      DeploymentConfigName: deploymentConfig,
      AlarmConfiguration: { Enabled: true, Alarms: [{ Name: { Ref: alarmId } }] },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
    // A new version gets an alarm of its own, which cannot be in ALARM yet.
    expect([alarmId?.slice(-8), others]).toEqual([version.slice(-8), []]);
  });

  test('goes back for each error and fault of that version, even if its metrics come late', () => {
    const ofVersion = { 'Fn::GetAtt': [version, 'Version'] };
    const metric = (Id: string, Namespace: string, MetricName: string, dimensions: Record<string, unknown>) => ({
      Id,
      MetricStat: {
        Metric: {
          Namespace,
          MetricName,
          Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
        },
        Period: 60,
        Stat: 'Sum',
      },
      ReturnData: false,
    });
    expect(alarm?.Properties).toMatchObject({
      Metrics: [
        { Expression: 'FILL(errors, 0) + FILL(faults, 0)', ReturnData: true },
        metric('errors', 'AWS/Lambda', 'Errors', {
          ExecutedVersion: ofVersion,
          FunctionName: { Ref: lambda },
          Resource: { 'Fn::Join': ['', [{ Ref: lambda }, ':live']] },
        }),
        metric('faults', 'PetstoreInventory', 'Faults', {
          FunctionName: { Ref: lambda },
          FunctionVersion: ofVersion,
        }),
      ],
      DatapointsToAlarm: 1,
      EvaluationPeriods: periods,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    });
  });
});
