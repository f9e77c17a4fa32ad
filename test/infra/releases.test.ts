import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { functionSpecs } from '../../infra/service/operations.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
import policy from '../../infra/stack-policy.json' with { type: 'json' };
import { everySetting } from '../support/stack/every-setting.ts';
import { stackNamed, templateIn, templateOf } from '../support/stack/in-process.ts';
import { prod } from '../support/stack/stages.ts';
import { isProtected, stackOf } from '../support/stack/synthesized.ts';
import { type Json, readable } from '../support/stack/template.ts';

// What a release of prod takes back by itself, and what it can never destroy.

const { Resources, all, byName } = stackOf('prod');
const alarmsOfNewVersions = Object.entries(byName('AWS::CloudWatch::Alarm')).filter(([name]) =>
  name.includes('NewVersion'),
);

// If only one of the shifts stopped, CloudFormation's rollback would collide with the others.
test('any failure of a new version stops the shift of all functions, and takes it back', () => {
  const Alarms = alarmsOfNewVersions.map(([name]) => ({ Name: `<${name}>` }));
  // CodeDeploy accepts no more for a group.
  expect(Alarms.length).toBeLessThanOrEqual(10);
  const groups = all('AWS::CodeDeploy::DeploymentGroup');
  expect(groups).toHaveLength(functionSpecs.length);
  for (const group of groups) {
    expect(group.AlarmConfiguration).toStrictEqual({ Enabled: true, Alarms });
    expect(group.AutoRollbackConfiguration).toStrictEqual({
      Enabled: true,
      // Operators stop a shift on request.
      Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
    });
  }
});

test('the alarms of a new version look at it alone, and see one failure that is told late', () => {
  /** What the functions publish by function and version. */
  const faults = (name: string) => ({
    Namespace: 'PetstoreInventory',
    MetricName: 'Faults',
    dimensions: `FunctionName=<${name}> FunctionVersion=<${name}CurrentVersion.Version>`,
  });
  /** Lambda's own metric of a version, for an alias whose traffic shifts. */
  const errors = (name: string) => ({
    Namespace: 'AWS/Lambda',
    MetricName: 'Errors',
    dimensions:
      `ExecutedVersion=<${name}CurrentVersion.Version> ` +
      `FunctionName=<${name}> Resource=<${name}>:live`,
  });
  // The errors of a function that streams are also responses that nobody reads.
  const metrics = functionSpecs.flatMap(({ name, streams }) =>
    streams ? [faults(name)] : [faults(name), errors(name)],
  );
  const watched = alarmsOfNewVersions.map(([, { AlarmDescription: _, Dimensions, ...alarm }]) => ({
    ...alarm,
    dimensions: Dimensions.map(({ Name, Value }: Json) => `${Name}=${Value}`).join(' '),
  }));
  expect(watched).toStrictEqual(
    metrics.map((metric) => ({
      ...metric,
      // The average of errors over all requests would hardly ever be 1.
      Statistic: 'Sum',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
      // A metric is up to three minutes late.
      Period: 60,
      DatapointsToAlarm: 1,
      EvaluationPeriods: 5,
      // Without a request there is no metric, and nothing has failed.
      TreatMissingData: 'notBreaching',
    })),
  );
});

test('without the canary, all requests go to new versions at once; nothing else differs', () => {
  const withCanary = (canary?: string) =>
    JSON.stringify(templateIn(stackNamed('prod', prod, { context: { canary } })));
  expect(withCanary('off').match(/AllAtOnce/g)).toHaveLength(functionSpecs.length);
  expect(withCanary('off').replaceAll('AllAtOnce', 'Canary10Percent15Minutes')).toBe(withCanary());
  expect(() => withCanary('of')).toThrow('The context canary can only be off, not of.');
});

test('a release says its commit: in an output, a parameter with a history, and each 404', () => {
  const { Outputs, all } = readable(templateIn(stackNamed('prod', prod, { commit: 'c0ffee' })));
  expect(Outputs.Commit).toStrictEqual({ Value: 'c0ffee' });
  const page = readFileSync('docs/runbook.md', 'utf8');
  const [, Name] = /get-parameter-history --name (\S+)/.exec(page) ?? [];
  expect(all('AWS::SSM::Parameter')).toStrictEqual([{ Name, Type: 'String', Value: 'c0ffee' }]);
  const headers = all('AWS::ApiGateway::Method')
    .flatMap(({ Integration }) => Integration.IntegrationResponses ?? [])
    .filter(({ StatusCode }) => StatusCode === '404')
    .map(({ ResponseParameters }) => ResponseParameters);
  const header = { 'method.response.header.Petstore-Commit': "'c0ffee'" };
  expect(headers).toStrictEqual([header, header, header]);
});

test('what stays when it is replaced, and when the stack is deleted', () => {
  const staying = Object.values(Resources)
    .map(({ Type, UpdateReplacePolicy, DeletionPolicy }) =>
      [Type, UpdateReplacePolicy, DeletionPolicy].join(' '),
    )
    .filter((text) => text.includes('Retain'));
  expect(staying.sort()).toStrictEqual([
    // Log settings of the account, and their role.
    'AWS::ApiGateway::Account Retain Retain',
    'AWS::DynamoDB::GlobalTable Retain Retain',
    'AWS::DynamoDB::GlobalTable Retain Retain',
    'AWS::DynamoDB::GlobalTable Retain Retain',
    'AWS::IAM::Role Retain Retain',
    'AWS::Lambda::Version Retain RetainExceptOnCreate',
    'AWS::Lambda::Version Retain RetainExceptOnCreate',
    'AWS::Lambda::Version Retain RetainExceptOnCreate',
    // CloudFormation makes the new association of another web ACL first. Deleting the old one would
    // detach that, too.
    'AWS::WAFv2::WebACLAssociation Retain Delete',
  ]);
});

// What clients address, and what holds their data: a new one would have another name, or no data.
// All other types must be free, or a release would stop: each makes new versions, for instance.
test('the stack policy holds off the replacement and deletion of these types alone', () => {
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
  const deployed = Object.values(templateOf('prod', everySetting).Resources);
  expect(deployed.map(({ Type }) => Type)).toStrictEqual(expect.arrayContaining(kept));
});

test('all tables but receipts are restored to any second, and only receipts expire', () => {
  const tables = Object.entries(byName('AWS::DynamoDB::GlobalTable'));
  const found = tables.map(
    ([
      name,
      {
        Replicas: [replica],
        TimeToLiveSpecification,
      },
    ]) => ({
      name,
      isRestorable: replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
      expires: TimeToLiveSpecification,
    }),
  );
  expect(found).toStrictEqual([
    { name: 'InventoryTable', isRestorable: true, expires: undefined },
    { name: 'ApiKeysTable', isRestorable: true, expires: undefined },
    {
      name: 'ReceiptsTable',
      isRestorable: false,
      expires: { AttributeName: 'expiresAt', Enabled: true },
    },
  ]);
});

test('termination protection, and not the policy, holds off cdk destroy: of prod alone', () => {
  expect(stageNames.filter(isProtected)).toStrictEqual(['prod']);
});
