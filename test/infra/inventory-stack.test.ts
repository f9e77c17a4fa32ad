import { expect, test } from '@jest/globals';
import { stackOf } from '../support/stack/synthesized.ts';
import type { Json } from '../support/stack/template.ts';

const { Resources, byName, Outputs } = stackOf('prod');

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
