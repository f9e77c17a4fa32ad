import { describe, expect, test } from '@jest/globals';
import { stageStack } from '../../infra/assembly/stage-stack.ts';
import { assembly } from '../support/stack/assembly.ts';
import { resourcesOf, stackOf, type Template, templates } from '../support/stack/synthesized.ts';

describe.each([
  { stageName: 'staging', policy: 'Delete', isProtected: false, ceiling: undefined, days: 7 },
  {
    stageName: 'prod',
    policy: 'Retain',
    isProtected: true,
    ceiling: { read: 40_000, write: 4_000 },
    days: 90,
  },
])('the stack of $stageName', ({ stageName, policy, isProtected, ceiling, days }) => {
  const stack = stackOf(stageName);
  const { of, all } = stack;
  const byLogicalId = (type: string) => resourcesOf(templates[stageName] as Template, type);

  // CloudFormation would replace a resource whose logical id changes.
  test('keeps inventory and API keys in tables with only a partition key; tables and API keep their logical ids', () => {
    const table = (AttributeName: string, AttributeType: string) => ({
      Type: 'AWS::DynamoDB::GlobalTable',
      DeletionPolicy: policy,
      UpdateReplacePolicy: policy,
      Metadata: expect.anything(),
      Properties: {
        AttributeDefinitions: [{ AttributeName, AttributeType }],
        KeySchema: [{ AttributeName, KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [
          {
            Region: { Ref: 'AWS::Region' },
            DeletionProtectionEnabled: isProtected,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: isProtected },
            ReadOnDemandThroughputSettings: ceiling && { MaxReadRequestUnits: ceiling.read },
          },
        ],
        WriteOnDemandThroughputSettings: ceiling && { MaxWriteRequestUnits: ceiling.write },
      },
    });
    expect(byLogicalId('AWS::DynamoDB::GlobalTable')).toEqual({
      InventoryTableFD135387: table('petId', 'N'),
      ApiKeysTable9F4DC7E7: table('keyHash', 'S'),
    });
    expect(Object.keys(byLogicalId('AWS::ApiGateway::RestApi'))).toEqual(['ApiF70053CD']);
    expect(stageStack(assembly, stageName).terminationProtection).toBe(isProtected);
  });

  test('lets each function write its logs and traces and do one operation on one table, and nothing else', () => {
    const allow = (Action: string | string[], Resource: string) => ({
      Effect: 'Allow',
      Action,
      Resource,
    });
    const policies = (name: string, action: string, table: string) => ({
      [`${name}RoleDefaultPolicy`]: {
        PolicyName: expect.any(String),
        Roles: [`<${name}Role>`],
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            allow(['logs:CreateLogStream', 'logs:PutLogEvents'], `<${name}Logs.Arn>`),
            allow(action, `<${table}.Arn>`),
            allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*'),
          ],
        },
      },
    });
    expect(of('AWS::IAM::Policy')).toEqual({
      ...policies('Authorizer', 'dynamodb:GetItem', 'ApiKeysTable'),
      ...policies('ListInventory', 'dynamodb:Scan', 'InventoryTable'),
      ...policies('UpdateInventory', 'dynamodb:UpdateItem', 'InventoryTable'),
    });
  });

  test('has only the roles of its functions, of their deployments and of the logs of API Gateway', () => {
    const role = (service: string, managed?: string) => ({
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sts:AssumeRole',
            Principal: { Service: `${service}.amazonaws.com` },
          },
        ],
      },
      ManagedPolicyArns: managed && [
        `arn:<AWS::Partition>:iam::aws:policy/service-role/${managed}`,
      ],
    });
    const deployment = role('codedeploy', 'AWSCodeDeployRoleForLambdaLimited');
    expect(of('AWS::IAM::Role')).toEqual({
      ApiCloudWatchRole: role('apigateway', 'AmazonAPIGatewayPushToCloudWatchLogs'),
      AuthorizerRole: role('lambda'),
      AuthorizerLiveDeploymentServiceRole: deployment,
      ListInventoryRole: role('lambda'),
      ListInventoryLiveDeploymentServiceRole: deployment,
      UpdateInventoryRole: role('lambda'),
      UpdateInventoryLiveDeploymentServiceRole: deployment,
    });
  });

  // test/system/acceptance shows that each function has its own entry point and the name of its
  // table.
  test('runs each function on Node 24, in its role, for a limited time and with the endpoint of its region', () => {
    const endpoint = {
      AWS_ENDPOINT_URL_DYNAMODB: 'https://dynamodb.<AWS::Region>.<AWS::URLSuffix>',
    };
    const lambda = (name: string, Timeout: number, environment = {}) => ({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Role: `<${name}Role.Arn>`,
      Timeout,
      TracingConfig: { Mode: 'Active' },
      Environment: { Variables: { STAGE_NAME: stageName, ...endpoint, ...environment } },
    });
    expect(Object.keys(of('AWS::Lambda::Function'))).toHaveLength(3);
    expect(of('AWS::Lambda::Function')).toMatchObject({
      Authorizer: lambda('Authorizer', 10),
      ListInventory: lambda('ListInventory', 60, { LIST_TIMEOUT_SECONDS: '60' }),
      UpdateInventory: lambda('UpdateInventory', 10),
    });
  });

  test('outputs the base URL and what operators need to know', () => {
    const host = 'https://<Api>.execute-api.<AWS::Region>.<AWS::URLSuffix>';
    expect(stack.Outputs).toEqual({
      BaseUrl: { Value: `${host}/<ApiDeploymentStage${stageName}>/v1` },
      RestApiId: { Value: '<Api>' },
      InventoryTableName: { Value: '<InventoryTable>' },
      ApiKeysTableName: { Value: '<ApiKeysTable>' },
    });
  });

  test('fixes no physical name, so that stages and copies do not collide', () => {
    const isName =
      /^(Alarm|Application|Dashboard|DeploymentGroup|Filter|Function|LogGroup|Role|Table|Topic)Name$/;
    const properties = Object.values(stack.Resources).flatMap(({ Properties = {} }) =>
      Object.entries(Properties),
    );
    const names = properties
      .filter(([property]) => isName.test(property))
      .map(([, name]) => String(name));
    expect(names).toContain('<ListInventory>');
    expect(names.filter((name) => !/^<\w+>$/.test(name))).toEqual([]);
  });

  test('keeps its logs for a limited time', () => {
    const kept = { RetentionInDays: days };
    expect(all('AWS::Logs::LogGroup')).toEqual([kept, kept, kept, kept]);
  });
});
