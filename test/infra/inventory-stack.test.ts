import { describe, expect, test } from '@jest/globals';
import { logicalId, resourcesOf, templates } from '../support/synthesized.ts';

test('there is a stack for staging and one for prod', () => {
  expect(Object.keys(templates).sort()).toEqual(['prod', 'staging']);
});

describe.each([
  ['staging', { deletionPolicy: 'Delete', protectedAndRecoverable: false, ceiling: undefined, retentionDays: 7 }],
  [
    'prod',
    {
      deletionPolicy: 'Retain',
      protectedAndRecoverable: true,
      ceiling: { read: 40_000, write: 4_000 },
      retentionDays: 90,
    },
  ],
])('the stack of %s', (stageName, { deletionPolicy, protectedAndRecoverable, ceiling, retentionDays }) => {
  const template = templates[stageName] ?? { Resources: {}, Outputs: {} };
  const of = (type: string) => resourcesOf(template, type);
  const id = (type: string, constructId: string) => logicalId(template, type, constructId);
  const arn = (resource: string) => ({ 'Fn::GetAtt': [resource, 'Arn'] });
  const tables = {
    inventory: id('AWS::DynamoDB::GlobalTable', 'InventoryTable'),
    apiKeys: id('AWS::DynamoDB::GlobalTable', 'ApiKeysTable'),
  };
  const api = id('AWS::ApiGateway::RestApi', 'Api');

  test.each([
    ['inventory', tables.inventory, 'petId', 'N'],
    ['API keys', tables.apiKeys, 'keyHash', 'S'],
  ])('keeps the %s in a table with a partition key alone', (_what, table, name, type) => {
    expect(template.Resources[table]).toMatchObject({
      DeletionPolicy: deletionPolicy,
      UpdateReplacePolicy: deletionPolicy,
    });
    expect(template.Resources[table]?.Properties).toEqual({
      AttributeDefinitions: [{ AttributeName: name, AttributeType: type }],
      KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      Replicas: [
        {
          Region: { Ref: 'AWS::Region' },
          DeletionProtectionEnabled: protectedAndRecoverable,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: protectedAndRecoverable },
          ...(ceiling && { ReadOnDemandThroughputSettings: { MaxReadRequestUnits: ceiling.read } }),
        },
      ],
      ...(ceiling && { WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: ceiling.write } }),
    });
  });

  test.each([
    ['Authorizer', 'dynamodb:GetItem', tables.apiKeys],
    ['ListInventory', 'dynamodb:Scan', tables.inventory],
    ['UpdateInventory', 'dynamodb:UpdateItem', tables.inventory],
  ])('lets %s write its logs and traces and do %s on one table, and nothing else', (name, action, table) => {
    const role = id('AWS::IAM::Role', `${name}Role`);
    const policies = Object.values(of('AWS::IAM::Policy')).filter(({ Properties }) =>
      (Properties.Roles as { Ref: string }[]).some(({ Ref }) => Ref === role),
    );

    expect(template.Resources[id('AWS::Lambda::Function', name)]?.Properties.Role).toEqual(arn(role));
    expect(template.Resources[role]?.Properties).toEqual({
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }],
      },
    });
    expect(policies.map(({ Properties }) => Properties.PolicyDocument)).toEqual([
      {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            Resource: arn(id('AWS::Logs::LogGroup', `${name}Logs`)),
          },
          { Effect: 'Allow', Action: action, Resource: arn(table) },
          { Effect: 'Allow', Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], Resource: '*' },
        ],
      },
    ]);
  });

  test.each([
    ['Authorizer', 10, { STAGE_NAME: stageName, API_KEYS_TABLE_NAME: { Ref: tables.apiKeys } }],
    [
      'ListInventory',
      300,
      {
        STAGE_NAME: stageName,
        INVENTORY_TABLE_NAME: { Ref: tables.inventory },
        NODE_OPTIONS: '--max-semi-space-size=16',
      },
    ],
    ['UpdateInventory', 10, { STAGE_NAME: stageName, INVENTORY_TABLE_NAME: { Ref: tables.inventory } }],
  ])('runs %s on Node 24, for at most %d s, with its table by name', (name, timeout, environment) => {
    const dynamodb = ['https://dynamodb.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }];
    expect(template.Resources[id('AWS::Lambda::Function', name)]?.Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
      Timeout: timeout,
      Environment: { Variables: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: { 'Fn::Join': ['', dynamodb] } } },
    });
    expect(Object.keys(of('AWS::Lambda::Function'))).toHaveLength(3);
  });

  test('outputs the base URL and what operators need to know', () => {
    const [stage] = Object.keys(of('AWS::ApiGateway::Stage'));
    expect(template.Outputs).toEqual({
      BaseUrl: {
        Value: {
          'Fn::Join': [
            '',
            [
              'https://',
              { Ref: api },
              '.execute-api.',
              { Ref: 'AWS::Region' },
              '.',
              { Ref: 'AWS::URLSuffix' },
              '/',
              { Ref: stage },
              '/v1',
            ],
          ],
        },
      },
      RestApiId: { Value: { Ref: api } },
      InventoryTableName: { Value: { Ref: tables.inventory } },
      ApiKeysTableName: { Value: { Ref: tables.apiKeys } },
    });
  });

  test('fixes no physical name, so that stages and copies do not collide', () => {
    const names: Record<string, string> = {
      'AWS::CloudWatch::Alarm': 'AlarmName',
      'AWS::CloudWatch::Dashboard': 'DashboardName',
      'AWS::CodeDeploy::Application': 'ApplicationName',
      'AWS::CodeDeploy::DeploymentGroup': 'DeploymentGroupName',
      'AWS::DynamoDB::GlobalTable': 'TableName',
      'AWS::IAM::Role': 'RoleName',
      'AWS::Lambda::Function': 'FunctionName',
      'AWS::Logs::LogGroup': 'LogGroupName',
      'AWS::Logs::MetricFilter': 'FilterName',
      'AWS::SNS::Topic': 'TopicName',
    };
    const named = Object.values(template.Resources).filter(({ Type }) => Type in names);
    expect([...new Set(named.map(({ Type }) => Type))].sort()).toEqual(Object.keys(names));
    expect(named.filter(({ Type, Properties = {} }) => names[Type] && names[Type] in Properties)).toEqual([]);
  });

  test('keeps its logs', () => {
    const retention = Object.values(of('AWS::Logs::LogGroup')).map(({ Properties }) => Properties.RetentionInDays);
    expect(retention).toEqual([retentionDays, retentionDays, retentionDays, retentionDays]);
  });

  test('keeps the logical ids of its tables and its API: another id would replace them', () => {
    expect(Object.keys(of('AWS::DynamoDB::GlobalTable'))).toEqual(['InventoryTableFD135387', 'ApiKeysTable9F4DC7E7']);
    expect(Object.keys(of('AWS::ApiGateway::RestApi'))).toEqual(['ApiF70053CD']);
  });

  test('has no roles but those of its functions, of their deployments and of the logs of API Gateway', () => {
    const policiesOf = (role: string) =>
      Object.values(of('AWS::IAM::Policy')).filter(({ Properties }) =>
        (Properties.Roles as { Ref: string }[]).some(({ Ref }) => Ref === role),
      ).length;
    const managed = (name: string) => [
      { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:iam::aws:policy/service-role/${name}`]] },
    ];
    const roles = Object.entries(of('AWS::IAM::Role')).map(([id, { Properties }]) => [
      id.replace(/[0-9A-F]{8}$/, ''),
      (Properties.AssumeRolePolicyDocument as { Statement: { Principal: { Service: string } }[] }).Statement.map(
        ({ Principal }) => Principal.Service,
      ),
      Properties.ManagedPolicyArns ?? policiesOf(id),
    ]);
    const deployment = [['codedeploy.amazonaws.com'], managed('AWSCodeDeployRoleForLambdaLimited')];
    expect(roles.sort()).toEqual([
      ['ApiCloudWatchRole', ['apigateway.amazonaws.com'], managed('AmazonAPIGatewayPushToCloudWatchLogs')],
      ['AuthorizerLiveDeploymentServiceRole', ...deployment],
      ['AuthorizerRole', ['lambda.amazonaws.com'], 1],
      ['ListInventoryLiveDeploymentServiceRole', ...deployment],
      ['ListInventoryRole', ['lambda.amazonaws.com'], 1],
      ['UpdateInventoryLiveDeploymentServiceRole', ...deployment],
      ['UpdateInventoryRole', ['lambda.amazonaws.com'], 1],
    ]);
  });
});
