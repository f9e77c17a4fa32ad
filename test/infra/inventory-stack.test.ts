import { describe, expect, test } from '@jest/globals';
import { Topic } from 'aws-cdk-lib/aws-sns';
import {
  appOf,
  deliveredStack,
  deliveredTemplate,
  stackNamed,
} from '../support/stack/in-process.ts';
import { prod, staging } from '../support/stack/stages.ts';
import { type Json, resourcesOf } from '../support/stack/template.ts';
import { documentedOperations, isList } from './service/documented-operations.ts';
import { grantsOf } from './service/grants.ts';

const stack = () => deliveredStack('prod');

describe.each([
  {
    stageName: 'staging' as const,
    settings: staging,
    policy: 'Delete',
    isProtected: false,
    ceiling: undefined,
  },
  {
    stageName: 'prod' as const,
    settings: prod,
    policy: 'Retain',
    isProtected: true,
    ceiling: { read: 40_000, write: 4_000 },
  },
])('the tables of $stageName', ({ stageName, settings, policy, isProtected, ceiling }) => {
  // CloudFormation would replace a table whose logical id changes.
  test('have only a partition key, and keep their logical ids', () => {
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
            ReadOnDemandThroughputSettings: ceiling && { MaxReadRequestUnits: ceiling.read },
          },
        ],
        WriteOnDemandThroughputSettings: ceiling && { MaxWriteRequestUnits: ceiling.write },
      },
    });
    expect(resourcesOf(deliveredTemplate(stageName), 'AWS::DynamoDB::GlobalTable')).toEqual({
      InventoryTableFD135387: table('petId', 'N'),
      ApiKeysTable9F4DC7E7: table('keyHash', 'S'),
    });
  });

  test('are as protected as their stack', () => {
    expect(stackNamed(stageName, settings).terminationProtection).toBe(isProtected);
  });
});

test.each([
  { stageName: 'staging' as const, days: 7, level: 'DEBUG' },
  { stageName: 'prod' as const, days: 90, level: 'INFO' },
])('$stageName logs $level and keeps its logs for $days days', ({ stageName, days, level }) => {
  const { all, byName } = deliveredStack(stageName);
  const kept = { RetentionInDays: days };
  const functions: Json[] = Object.values(byName('AWS::Lambda::Function'));
  // One more is the access log.
  expect(all('AWS::Logs::LogGroup')).toEqual(Array(functions.length + 1).fill(kept));
  for (const { LoggingConfig } of functions) {
    expect(LoggingConfig).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: level });
  }
});

test('logs end with their stack', () => {
  const groups = resourcesOf(deliveredTemplate('prod'), 'AWS::Logs::LogGroup');
  const kept = Object.values(groups).filter(({ DeletionPolicy }) => DeletionPolicy !== 'Delete');
  expect(Object.keys(groups)).not.toEqual([]);
  expect(kept).toEqual([]);
});

describe('the roles of prod', () => {
  test('let a function write its logs and traces and do one thing to one table, no more', () => {
    const allow = (Action: string | string[], Resource: string) => ({
      Effect: 'Allow',
      Action,
      Resource,
    });
    const policies: Json[] = Object.values(stack().byName('AWS::IAM::Policy'));
    expect(policies).toHaveLength(stack().all('AWS::Lambda::Function').length);
    for (const { Roles, PolicyDocument } of policies) {
      const [, name] = /^<(\w+)Role>$/.exec(Roles.join()) ?? [];
      expect(PolicyDocument.Statement).toEqual([
        allow(['logs:CreateLogStream', 'logs:PutLogEvents'], `<${name}Logs.Arn>`),
        // test/infra/service/operations.test.ts says which action and which table.
        allow(expect.stringMatching(/^dynamodb:[A-Z]\w+$/) as never, expect.any(String) as never),
        allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*'),
      ]);
    }
  });

  test('are those of its functions, of their deployments and of the logs of API Gateway', () => {
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
    const ofFunctions = Object.keys(stack().byName('AWS::Lambda::Function')).map((name) => ({
      [`${name}Role`]: role('lambda'),
      [`${name}LiveDeploymentServiceRole`]: role('codedeploy', 'AWSCodeDeployRoleForLambdaLimited'),
    }));
    expect(stack().byName('AWS::IAM::Role')).toEqual({
      ApiCloudWatchRole: role('apigateway', 'AmazonAPIGatewayPushToCloudWatchLogs'),
      ...Object.assign({}, ...ofFunctions),
    });
  });
});

describe('the functions of prod', () => {
  const functions = (): [string, Json][] => Object.entries(stack().byName('AWS::Lambda::Function'));

  // test/system/acceptance shows that each function has its own entry point.
  test('run on Node 24 and arm64 with 1,024 MB, in their own role', () => {
    for (const [name, lambda] of functions()) {
      expect(lambda).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        MemorySize: 1024,
        Role: `<${name}Role.Arn>`,
        LoggingConfig: { LogGroup: `<${name}Logs>` },
        TracingConfig: { Mode: 'Active' },
      });
    }
  });

  test('learn their stage, their table, and the endpoint of its region', () => {
    const environment = (more: object) => ({
      Variables: {
        STAGE_NAME: 'prod',
        AWS_ENDPOINT_URL_DYNAMODB: 'https://dynamodb.<AWS::Region>.<AWS::URLSuffix>',
        ...more,
      },
    });
    const tableOf = new Map(grantsOf(stack()).map((each) => [each.functionName, each.table]));
    const variables: Record<string, string> = {
      ApiKeys: 'API_KEYS_TABLE_NAME',
      Inventory: 'INVENTORY_TABLE_NAME',
    };
    for (const [name, { Environment }] of functions()) {
      const table = tableOf.get(name) ?? '';
      const more = { [`${variables[table]}`]: `<${table}Table>` };
      const timeLimit = isList(name) ? { LIST_TIMEOUT_SECONDS: '60' } : {};
      expect({ name, ...Environment }).toEqual({ name, ...environment({ ...more, ...timeLimit }) });
    }
  });

  test('have a description and a limited time', () => {
    const limits = functions().map(([name, { Timeout, Description }]) => ({
      name,
      seconds: Timeout,
      description: Description,
    }));
    const ofOperations = documentedOperations.map((operation) => ({
      name: operation.functionName,
      seconds: operation.lists ? 60 : 10,
      description: `${operation.method} ${operation.path}`,
    }));
    const description = 'Checks the bearer API key of a request';
    const ofAuthorizer = { name: 'Authorizer', seconds: 10, description };
    expect(new Set(limits)).toEqual(new Set([ofAuthorizer, ...ofOperations]));
  });

  test('find their code in the bucket of their region, whatever region that is', () => {
    for (const [, { Code }] of functions()) {
      expect(Code.S3Bucket).toEqual({
        'Fn::Sub': `cdk-hnb659fds-assets-\${AWS::AccountId}-\${AWS::Region}`,
      });
    }
  });
});

describe('the stack of prod', () => {
  test('outputs the base URL and what operators need to know', () => {
    const host = 'https://<Api>.execute-api.<AWS::Region>.<AWS::URLSuffix>';
    expect(stack().Outputs).toEqual({
      BaseUrl: { Value: `${host}/<ApiDeploymentStageprod>/v1` },
      RestApiId: { Value: '<Api>' },
      InventoryTableName: { Value: '<InventoryTable>' },
      ApiKeysTableName: { Value: '<ApiKeysTable>' },
      AlarmTopicArn: { Value: '<AlarmsTopic>' },
      ReadOnlyKeys: { Value: 'enforced' },
    });
  });

  test('says what it is', () => {
    const { stackName, templateOptions } = stackNamed('prod', prod);
    expect({ stackName, description: templateOptions.description }).toEqual({
      stackName: 'prod-petstore-inventory',
      description: 'Petstore inventory service (prod)',
    });
  });

  // CloudFormation would replace an API whose logical id changes, and its base URL with it.
  test('keeps the logical id of its API', () => {
    const apis = resourcesOf(deliveredTemplate('prod'), 'AWS::ApiGateway::RestApi');
    expect(Object.keys(apis)).toEqual(['ApiF70053CD']);
  });

  test('fixes no physical name, so that stages and copies do not collide', () => {
    const types =
      'Alarm|Application|Dashboard|DeploymentGroup|Filter|Function|LogGroup|Role|Table|Topic';
    const isName = new RegExp(`^(${types})Name$`);
    const properties = Object.values(stack().Resources).flatMap(({ Properties = {} }) =>
      Object.entries(Properties),
    );
    const names = properties
      .filter(([property]) => isName.test(property))
      .map(([, name]) => String(name));
    expect(names).toContain('<ListInventory>');
    expect(names.filter((name) => !/^<\w+>$/.test(name))).toEqual([]);
  });
});

describe('the synthesis of both stages', () => {
  test('breaks no rule of the AWS Solutions pack', () => {
    expect(() => appOf({ staging, prod }).synth()).not.toThrow();
  });

  test('fails if a rule of the AWS Solutions pack is broken', () => {
    const app = appOf({ staging });
    new Topic(app.node.findChild('staging').node.findChild('petstore-inventory'), 'Unencrypted');
    expect(() => app.synth()).toThrow('AwsSolutions-SNS3');
  });
});
