import { expect, test } from '@jest/globals';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

const { Resources, all, byName } = stackOf('prod');

// If only one of the shifts stopped, CloudFormation's rollback would collide with the others.
test('any failure of a new version stops the shift of all three functions, and takes it back', () => {
  const alarms = Object.keys(byName('AWS::CloudWatch::Alarm'))
    .filter((name) => name.includes('NewVersion'))
    .map((name) => ({ Name: `<${name}>` }));
  expect(alarms).toHaveLength(5);
  const groups = all('AWS::CodeDeploy::DeploymentGroup').map(
    ({ AlarmConfiguration, AutoRollbackConfiguration }) => [
      AlarmConfiguration,
      AutoRollbackConfiguration,
    ],
  );
  const events = ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'];
  expect(groups).toStrictEqual(
    Array(3).fill([
      { Alarms: alarms, Enabled: true },
      { Enabled: true, Events: events },
    ]),
  );
});

test('the alarms of a new version look at it alone, and see a failure that is told late', () => {
  const watched = Object.entries(byName('AWS::CloudWatch::Alarm'))
    .filter(([name]) => name.includes('NewVersion'))
    .map(([, { Namespace, MetricName, Dimensions, DatapointsToAlarm, ...alarm }]) => ({
      metric: [
        Namespace,
        MetricName,
        ...Dimensions.map(({ Name, Value }: Json) => `${Name}=${Value}`),
      ].join(' '),
      points: `${DatapointsToAlarm} of ${alarm.EvaluationPeriods} × ${alarm.Period} s`,
      missing: alarm.TreatMissingData,
    }));
  // The functions publish their faults by function and version.
  const faults = (name: string) =>
    `PetstoreInventory Faults FunctionName=<${name}> FunctionVersion=<${name}CurrentVersion.Version>`;
  // Lambda has a version's own metrics for an alias whose traffic shifts.
  const errors = (name: string) =>
    `AWS/Lambda Errors ExecutedVersion=<${name}CurrentVersion.Version> ` +
    `FunctionName=<${name}> Resource=<${name}>:live`;
  // A metric is up to three minutes late. Without a request there is none, and nothing has failed.
  const seen = { points: '1 of 5 × 60 s', missing: 'notBreaching' };
  expect(watched).toStrictEqual([
    { metric: faults('Authorizer'), ...seen },
    { metric: errors('Authorizer'), ...seen },
    // Its errors are also lists that nobody reads.
    { metric: faults('ListInventory'), ...seen },
    { metric: faults('UpdateInventory'), ...seen },
    { metric: errors('UpdateInventory'), ...seen },
  ]);
});

test('new versions get a tenth of the requests, for longer than a list and its metrics take', () => {
  const configs = all('AWS::CodeDeploy::DeploymentGroup').map(
    ({ DeploymentConfigName }) => DeploymentConfigName,
  );
  expect(configs).toStrictEqual(Array(3).fill('CodeDeployDefault.LambdaCanary10Percent15Minutes'));
});

test('the old version stays when a new one replaces it, to go back to', () => {
  const policies = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Version')
    .map(({ UpdateReplacePolicy, DeletionPolicy }) => [UpdateReplacePolicy, DeletionPolicy]);
  expect(policies).toStrictEqual(Array(3).fill(['Retain', 'RetainExceptOnCreate']));
});
