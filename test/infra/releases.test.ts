import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { functionSpecs } from '../../infra/service/operations.ts';
import { type StageName, stageNames } from '../../infra/settings/stage-names.ts';
import policy from '../../infra/stack-policy.json' with { type: 'json' };
import { everySetting } from '../support/stack/every-setting.ts';
import { stackNamed, templateIn, templateOf } from '../support/stack/in-process.ts';
import { prod } from '../support/stack/stages.ts';
import { isProtected, stackOf } from '../support/stack/synthesized.ts';
import { type Json, readable, type Template } from '../support/stack/template.ts';

// What a release of prod takes back by itself, and what it can never destroy.

const { Resources, all, byName } = stackOf('prod');
const alarmsOfNewVersions = Object.entries(byName('AWS::CloudWatch::Alarm')).filter(([name]) =>
  name.includes('NewVersion'),
);

// If only one of the shifts stopped, CloudFormation's rollback would collide with the others.
test('any failure of a new version stops the shift of all functions, and takes it back', () => {
  const groups = all('AWS::CodeDeploy::DeploymentGroup').map(
    ({ AlarmConfiguration, AutoRollbackConfiguration }) => ({
      alarms: AlarmConfiguration.Enabled && AlarmConfiguration.Alarms,
      rollback: AutoRollbackConfiguration.Enabled && AutoRollbackConfiguration.Events,
    }),
  );
  // Operators stop a shift on request.
  const events = ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'];
  expect(groups).toStrictEqual(
    functionSpecs.map(() => ({
      alarms: alarmsOfNewVersions.map(([name]) => ({ Name: `<${name}>` })),
      rollback: events,
    })),
  );
  // CodeDeploy accepts no more for a group.
  expect(alarmsOfNewVersions.length).toBeLessThanOrEqual(10);
});

test('new versions get a tenth of the requests, for longer than a list and its metrics take', () => {
  const configs = all('AWS::CodeDeploy::DeploymentGroup').map(
    ({ DeploymentConfigName }) => DeploymentConfigName,
  );
  const canary = 'CodeDeployDefault.LambdaCanary10Percent15Minutes';
  expect(configs).toStrictEqual(functionSpecs.map(() => canary));
});

test('the alarms of a new version look at it alone, and see one failure that is told late', () => {
  const watched = alarmsOfNewVersions.map(([, alarm]) => {
    const { Namespace, MetricName, Dimensions, DatapointsToAlarm, EvaluationPeriods } = alarm;
    const dimensions = Dimensions.map(({ Name, Value }: Json) => `${Name}=${Value}`);
    return {
      metric: [Namespace, MetricName, ...dimensions].join(' '),
      failures: [alarm.Statistic, alarm.ComparisonOperator, alarm.Threshold].join(' '),
      points: `${DatapointsToAlarm} of ${EvaluationPeriods} × ${alarm.Period} s`,
      missing: alarm.TreatMissingData,
    };
  });
  // The functions publish their faults by function and version.
  const faults = (name: string) =>
    `PetstoreInventory Faults FunctionName=<${name}> FunctionVersion=<${name}CurrentVersion.Version>`;
  // Lambda has a version's own metrics for an alias whose traffic shifts.
  const errors = (name: string) =>
    `AWS/Lambda Errors ExecutedVersion=<${name}CurrentVersion.Version> ` +
    `FunctionName=<${name}> Resource=<${name}>:live`;
  // One failure is enough: the average of errors over all requests would hardly ever be 1. A metric
  // is up to three minutes late. Without a request there is none, and nothing has failed.
  const seen = {
    failures: 'Sum GreaterThanOrEqualToThreshold 1',
    points: '1 of 5 × 60 s',
    missing: 'notBreaching',
  };
  // The errors of a function that streams are also responses that nobody reads.
  const metrics = functionSpecs.flatMap(({ name, streams }) =>
    streams ? [faults(name)] : [faults(name), errors(name)],
  );
  expect(watched).toStrictEqual(metrics.map((metric) => ({ metric, ...seen })));
});

test('the old version stays when a new one replaces it', () => {
  const policies = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Version')
    .map(({ UpdateReplacePolicy, DeletionPolicy }) => [UpdateReplacePolicy, DeletionPolicy]);
  expect(policies).toStrictEqual(functionSpecs.map(() => ['Retain', 'RetainExceptOnCreate']));
});

test('without the canary, all requests go to the new versions at once, and nothing else differs', () => {
  const configsIn = (template: Template) =>
    readable(template)
      .all('AWS::CodeDeploy::DeploymentGroup')
      .map(({ DeploymentConfigName }) => DeploymentConfigName);
  const withContext = (context: object) => templateIn(stackNamed('prod', prod, { context }));
  expect(configsIn(withContext({ canary: 'off' }))).toStrictEqual(
    functionSpecs.map(() => 'CodeDeployDefault.LambdaAllAtOnce'),
  );
  const text = JSON.stringify(withContext({ canary: 'off' })).replaceAll(
    'LambdaAllAtOnce',
    'LambdaCanary10Percent15Minutes',
  );
  expect(JSON.parse(text)).toStrictEqual(withContext({}));
  expect(() => withContext({ canary: 'of' })).toThrow(
    'The context canary can only be off, not of.',
  );
});

test('a release of a commit says so, and in a parameter, whose history has the commits before', () => {
  const { Outputs, all } = readable(templateIn(stackNamed('prod', prod, { commit: 'c0ffee' })));
  expect(Outputs.Commit).toStrictEqual({ Value: 'c0ffee' });
  const page = readFileSync('docs/runbook.md', 'utf8');
  const [, Name] = /get-parameter-history --name (\S+)/.exec(page) ?? [];
  expect(all('AWS::SSM::Parameter')).toStrictEqual([{ Name, Type: 'String', Value: 'c0ffee' }]);
});

// CloudFormation makes the new association first. Deleting the old one would detach its web ACL, too.
test('a stage that gets another web ACL is never without one', () => {
  const policies = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::WAFv2::WebACLAssociation')
    .map(({ UpdateReplacePolicy, DeletionPolicy }) => [UpdateReplacePolicy, DeletionPolicy]);
  expect(policies).toStrictEqual([['Retain', 'Delete']]);
});

// What clients address, and what holds their data: a new one would have another name, or no data.
// All other types must be free, or a release would stop: each makes new versions, for instance.
test('the stack policy holds off the replacement and deletion of these types, and nothing else', () => {
  const kept = [
    'AWS::DynamoDB::GlobalTable',
    'AWS::ApiGateway::RestApi',
    'AWS::ApiGateway::Stage',
    'AWS::ApiGateway::DomainName',
  ];
  const everything = { Principal: '*', Resource: '*' };
  // What no statement allows is denied, and a denial wins.
  expect(policy.Statement).toStrictEqual([
    { Effect: 'Allow', ...everything, Action: 'Update:*' },
    {
      Effect: 'Deny',
      ...everything,
      Action: ['Update:Replace', 'Update:Delete'],
      Condition: { StringEquals: { ResourceType: kept } },
    },
  ]);
  const { Resources: resources } = templateOf('prod', everySetting);
  const deployed = Object.values(resources).map(({ Type }) => Type);
  expect(deployed).toStrictEqual(expect.arrayContaining(kept));
});

test('what stays when the stack of prod is deleted is its tables, and the log role of the account', () => {
  const retained = Object.values(Resources).filter(
    ({ DeletionPolicy }) => DeletionPolicy === 'Retain',
  );
  expect(retained.map(({ Type }) => Type).sort()).toStrictEqual([
    'AWS::ApiGateway::Account',
    'AWS::DynamoDB::GlobalTable',
    'AWS::DynamoDB::GlobalTable',
    'AWS::DynamoDB::GlobalTable',
    'AWS::IAM::Role',
  ]);
});

test('the tables of prod are not deleted by mistake, and all but receipts are restored to any second', () => {
  const guards = all('AWS::DynamoDB::GlobalTable').map(
    ({ TimeToLiveSpecification: timeToLive, Replicas: [replica] }) => ({
      isRestorable: replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
      isProtected: replica.DeletionProtectionEnabled,
      timeToLive,
    }),
  );
  const timeToLive = { AttributeName: 'expiresAt', Enabled: true };
  expect(guards).toStrictEqual([
    { isRestorable: true, isProtected: true, timeToLive: undefined },
    { isRestorable: true, isProtected: true, timeToLive: undefined },
    { isRestorable: false, isProtected: true, timeToLive },
  ]);
});

test('termination protection, and not the policy, holds off cdk destroy: of prod alone', () => {
  const isProtectedByName: Record<StageName, boolean> = { staging: false, prod: true };
  expect(stageNames.map(isProtected)).toStrictEqual(
    stageNames.map((name) => isProtectedByName[name]),
  );
});
