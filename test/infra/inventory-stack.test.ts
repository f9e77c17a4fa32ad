import { describe, expect, test } from '@jest/globals';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { assembly } from '../support/stack/assembly.ts';
import { resourcesOf, stackOf, templates } from '../support/stack/synthesized.ts';
import type { Json } from '../support/stack/template.ts';

const { byName, Outputs } = stackOf('prod');

describe.each([
  { stageName: 'staging', policy: 'Delete', isProtected: false, ceiling: undefined },
  {
    stageName: 'prod',
    policy: 'Retain',
    isProtected: true,
    ceiling: { read: 40_000, write: 4_000 },
  },
])('in $stageName', ({ stageName, policy, isProtected, ceiling }) => {
  test('the tables have a partition key and this protection', () => {
    const table = (AttributeName: string, AttributeType: string) => ({
      Type: 'AWS::DynamoDB::GlobalTable',
      DeletionPolicy: policy,
      UpdateReplacePolicy: policy,
      Properties: {
        AttributeDefinitions: [{ AttributeName, AttributeType }],
        KeySchema: [{ AttributeName, KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [
          {
            Region: { Ref: 'AWS::Region' },
            DeletionProtectionEnabled: isProtected,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: isProtected },
            ...(ceiling && {
              ReadOnDemandThroughputSettings: { MaxReadRequestUnits: ceiling.read },
            }),
          },
        ],
        ...(ceiling && {
          WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: ceiling.write },
        }),
      },
    });
    const tables = resourcesOf(
      templates[stageName] ?? { Resources: {} },
      'AWS::DynamoDB::GlobalTable',
    );
    expect(Object.values(tables)).toMatchObject([table('petId', 'N'), table('keyHash', 'S')]);
  });

  test('the stack is as protected as its tables', () => {
    expect(stageStack(assembly, stageName).terminationProtection ?? false).toBe(isProtected);
  });
});

test.each([
  { stageName: 'staging', days: 7, level: 'DEBUG' },
  { stageName: 'prod', days: 90, level: 'INFO' },
])('$stageName logs $level and keeps its logs for $days days', ({ stageName, days, level }) => {
  const { Resources, all } = stackOf(stageName);
  const groups = Object.values(resourcesOf({ Resources }, 'AWS::Logs::LogGroup'));
  const group = { DeletionPolicy: 'Delete', Properties: { RetentionInDays: days } };
  // The functions' and the access log.
  expect(groups).toMatchObject([group, group, group, group]);
  const levels = all('AWS::Lambda::Function').map(({ LoggingConfig }) => LoggingConfig);
  const json = { LogFormat: 'JSON', ApplicationLogLevel: level };
  expect(levels).toMatchObject([json, json, json]);
});

test('a function may write its logs and traces, and do one thing to one table', () => {
  const allow = (Action: string | string[], Resource: string) => ({
    Effect: 'Allow',
    Action,
    Resource,
  });
  const statements = (name: string, action: string, table: string) => [
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], `<${name}Logs.Arn>`),
    allow(action, `<${table}.Arn>`),
    allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*'),
  ];
  const policies = Object.values<Json>(byName('AWS::IAM::Policy')).map(
    ({ Roles, PolicyDocument }) => [Roles.join(), PolicyDocument.Statement],
  );
  expect(Object.fromEntries(policies)).toEqual({
    '<AuthorizerRole>': statements('Authorizer', 'dynamodb:GetItem', 'ApiKeysTable'),
    '<ListInventoryRole>': statements('ListInventory', 'dynamodb:Scan', 'InventoryTable'),
    '<UpdateInventoryRole>': statements('UpdateInventory', 'dynamodb:UpdateItem', 'InventoryTable'),
  });
});

test('each role is for one service, and has no more than what AWS prescribes for it', () => {
  const roles = Object.entries<Json>(byName('AWS::IAM::Role')).map(
    ([name, { AssumeRolePolicyDocument, ManagedPolicyArns = [] }]) => {
      const services = AssumeRolePolicyDocument.Statement.map(
        ({ Principal }: Json) => Principal.Service,
      );
      const policies = ManagedPolicyArns.map((arn: string) => arn.split('/').at(-1));
      return [name, [...services, ...policies].join(' ')];
    },
  );
  const deployment = 'codedeploy.amazonaws.com AWSCodeDeployRoleForLambdaLimited';
  expect(Object.fromEntries(roles)).toEqual({
    ApiCloudWatchRole: 'apigateway.amazonaws.com AmazonAPIGatewayPushToCloudWatchLogs',
    AuthorizerRole: 'lambda.amazonaws.com',
    ListInventoryRole: 'lambda.amazonaws.com',
    UpdateInventoryRole: 'lambda.amazonaws.com',
    AuthorizerLiveDeploymentServiceRole: deployment,
    ListInventoryLiveDeploymentServiceRole: deployment,
    UpdateInventoryLiveDeploymentServiceRole: deployment,
  });
});

test('a function has the Node, role, log and time for its work', () => {
  const functions = Object.entries<Json>(byName('AWS::Lambda::Function')).map(
    ([name, { Timeout, Runtime, Architectures, MemorySize, Role, LoggingConfig }]) => [
      name,
      [Timeout, Runtime, ...Architectures, MemorySize, Role, LoggingConfig.LogGroup],
    ],
  );
  const usual = ['nodejs24.x', 'arm64', 1_024];
  expect(Object.fromEntries(functions)).toEqual({
    Authorizer: [10, ...usual, '<AuthorizerRole.Arn>', '<AuthorizerLogs>'],
    ListInventory: [60, ...usual, '<ListInventoryRole.Arn>', '<ListInventoryLogs>'],
    UpdateInventory: [10, ...usual, '<UpdateInventoryRole.Arn>', '<UpdateInventoryLogs>'],
  });
});

test('the stack outputs the base URL and what commands and operators need to know', () => {
  const host = 'https://<Api>.execute-api.<AWS::Region>.<AWS::URLSuffix>';
  expect(Outputs).toEqual({
    BaseUrl: { Value: `${host}/<ApiDeploymentStageprod>/v1` },
    RestApiId: { Value: '<Api>' },
    InventoryTableName: { Value: '<InventoryTable>' },
    ApiKeysTableName: { Value: '<ApiKeysTable>' },
    AlarmTopicArn: { Value: '<AlarmsTopic>' },
    ReadOnlyKeys: { Value: 'enforced' },
  });
});

test('no physical name is fixed, so that stages and copies do not collide', () => {
  const { Resources } = stackOf('prod');
  const types =
    'Alarm|Application|Dashboard|DeploymentGroup|Filter|Function|LogGroup|Role|Table|Topic';
  const isName = new RegExp(`^(${types})Name$`);
  const names = Object.values(Resources)
    .flatMap(({ Properties = {} }) => Object.entries(Properties))
    .filter(([property]) => isName.test(property))
    .map(([, name]) => String(name));
  expect(names).toContain('<ListInventory>');
  expect(names.filter((name) => !/^<\w+>$/.test(name))).toEqual([]);
});
