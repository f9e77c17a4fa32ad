import { describe, expect, test } from '@jest/globals';
import { App, RemovalPolicy, Stage, type StageProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { ApplicationLogLevel } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { InventoryStack } from '../../../infra/inventory-stack.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';

const settings: StageSettings = {
  tables: { removalPolicy: RemovalPolicy.DESTROY, deletionProtection: false, pointInTimeRecovery: false },
  deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE,
  throttling: { rateLimit: 10, burstLimit: 20 },
  list: { deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE, throttling: { rateLimit: 5, burstLimit: 10 } },
  logRetention: RetentionDays.ONE_DAY,
  logLevel: ApplicationLogLevel.INFO,
};

const env = { account: '111111111111', region: 'eu-west-1' };

const stackWith = (more: Partial<StageSettings>, props: StageProps = {}): InventoryStack => {
  // Without the seconds that bundling takes.
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  return new InventoryStack(new Stage(app, 'test', props), 'petstore-inventory', { ...settings, ...more });
};

describe('a stage may have', () => {
  test('a domain name of its own, in place of the one that API Gateway gives', () => {
    const customDomain = {
      domainName: 'api.example.com',
      certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/12345678-1234-1234-1234-123456789012',
    };
    const template = Template.fromStack(stackWith({ customDomain }));

    template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'api.example.com',
      RegionalCertificateArn: customDomain.certificateArn,
      SecurityPolicy: 'TLS_1_2',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    const [mapping] = Object.values(template.findResources('AWS::ApiGateway::BasePathMapping'));
    const [stage] = Object.keys(template.findResources('AWS::ApiGateway::Stage'));
    expect(mapping?.Properties.Stage).toEqual({ Ref: stage });
    expect(mapping?.Properties).not.toHaveProperty('BasePath');
    template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
    template.hasOutput('BaseUrl', { Value: 'https://api.example.com/v1' });
    expect(Object.keys(template.findOutputs('*'))).toContain('DomainTarget');
  });

  test('copies of its tables in other regions', () => {
    const tables = { ...settings.tables, replicaRegions: ['us-east-1'], ceiling: { read: 100, write: 50 } };
    const replicas = Object.values(
      Template.fromStack(stackWith({ tables }, { env })).findResources('AWS::DynamoDB::GlobalTable'),
    ).map(({ Properties }) => Properties.Replicas.map(({ Region }: { Region: string }) => Region).sort());
    expect(replicas).toEqual([
      ['eu-west-1', 'us-east-1'],
      ['eu-west-1', 'us-east-1'],
    ]);
  });

  test('a firewall that limits each IP address, and less without a well-formed key of the stage', () => {
    const template = Template.fromStack(stackWith({ firewall: { withoutKeyLimit: 100, limit: 1_000 } }));
    const [[id, { Properties }] = ['', {}]] = Object.entries(template.findResources('AWS::WAFv2::WebACL'));
    const body = { code: 'too_many_requests', message: 'Too many requests. Try again later.', status: 429 };
    const unseen = { CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false };
    const rule = (Name: string, Priority: number, statement: object) => ({
      Name,
      Priority,
      Action: {
        Block: {
          CustomResponse: {
            ResponseCode: 429,
            CustomResponseBodyKey: 'TooManyRequests',
            ResponseHeaders: [{ Name: 'Retry-After', Value: '60' }],
          },
        },
      },
      Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 60, ...statement } },
      VisibilityConfig: { MetricName: Name, ...unseen },
    });
    const keyPattern = {
      RegexString: '^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_test_[0-9a-f]{48}$',
      FieldToMatch: { SingleHeader: { Name: 'authorization' } },
      TextTransformations: [{ Priority: 0, Type: 'NONE' }],
    };
    const withoutKey = { NotStatement: { Statement: { RegexMatchStatement: keyPattern } } };
    expect(Properties).toEqual({
      Scope: 'REGIONAL',
      DefaultAction: { Allow: {} },
      CustomResponseBodies: { TooManyRequests: { ContentType: 'APPLICATION_JSON', Content: JSON.stringify(body) } },
      Rules: [
        rule('RequestsWithoutKey', 0, { Limit: 100, ScopeDownStatement: withoutKey }),
        rule('AllRequests', 1, { Limit: 1_000 }),
      ],
      VisibilityConfig: { MetricName: 'petstore-inventory-test', ...unseen },
    });
    const [stage] = Object.keys(template.findResources('AWS::ApiGateway::Stage'));
    const [association] = Object.values(template.findResources('AWS::WAFv2::WebACLAssociation'));
    expect(association?.Properties.WebACLArn).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    expect(JSON.stringify(association?.Properties.ResourceArn)).toContain(`"/stages/",{"Ref":"${stage}"}`);
  });

  test('a web ACL of its own in place of that', () => {
    const webAclArn = 'arn:aws:wafv2:eu-west-1:111111111111:regional/webacl/petstore/1';
    const template = Template.fromStack(stackWith({ webAclArn, firewall: { withoutKeyLimit: 100, limit: 1_000 } }));
    template.hasResourceProperties('AWS::WAFv2::WebACLAssociation', { WebACLArn: webAclArn });
    template.resourceCountIs('AWS::WAFv2::WebACL', 0);
  });

  test('a limit of how many lists run at once', () => {
    const reserved = (stack: InventoryStack) =>
      Object.entries(Template.fromStack(stack).findResources('AWS::Lambda::Function')).flatMap(
        ([id, { Properties }]) =>
          'ReservedConcurrentExecutions' in Properties
            ? [[id.slice(0, 13), Properties.ReservedConcurrentExecutions]]
            : [],
      );
    expect(reserved(stackWith({}))).toEqual([]);
    expect(reserved(stackWith({ list: { ...settings.list, reservedConcurrency: 20 } }))).toEqual([
      ['ListInventory', 20],
    ]);
  });
});

const pseudoParameters: Record<string, string> = { 'AWS::AccountId': env.account, 'AWS::Region': env.region };

/** A template as CloudFormation would read it in that account and region. */
const inRegion = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(inRegion);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const { Ref, 'Fn::Join': join } = value as { Ref?: string; 'Fn::Join'?: [string, unknown[]] };
  if (join) {
    const merged: unknown[] = [];
    for (const part of join[1].map(inRegion)) {
      const last = merged.at(-1);
      typeof part === 'string' && typeof last === 'string' ? merged.splice(-1, 1, last + part) : merged.push(part);
    }
    return { join: [join[0], merged] };
  }
  const members = Object.entries(value).map(([name, member]) => [name, inRegion(member)]);
  return pseudoParameters[Ref ?? ''] ?? Object.fromEntries(members);
};

test('a region that is added later changes nothing but the deployment of the API', () => {
  const resourcesOf = (props: StageProps) =>
    inRegion(Template.fromStack(stackWith({}, props)).toJSON().Resources) as Record<string, { Properties: object }>;
  const [without, withRegion] = [resourcesOf({}), resourcesOf({ env })];
  const ids = new Set([...Object.keys(without), ...Object.keys(withRegion)]);
  const changed = [...ids].filter((id) => JSON.stringify(without[id]) !== JSON.stringify(withRegion[id]));
  // Published versions above all, whose code would be the same. Of the deployment, the old one goes and a new one comes.
  expect(changed.map((id) => id.slice(0, 18)).sort()).toEqual([
    'ApiDeploymentB17BE',
    'ApiDeploymentB17BE',
    'ApiDeploymentStage',
  ]);
});

describe('the deployment of the API', () => {
  const deploymentId = (stack: InventoryStack) =>
    Object.keys(Template.fromStack(stack).findResources('AWS::ApiGateway::Deployment')).join();
  const original = deploymentId(stackWith({}));

  test('stays the same while nothing of the API changes', () => {
    expect(deploymentId(stackWith({ logRetention: RetentionDays.ONE_YEAR }))).toBe(original);
  });

  test('is a new one when a gateway response or a method changes, which would not be served otherwise', () => {
    const withResponse = stackWith({});
    const api = withResponse.node.findChild('Api') as never as { addGatewayResponse: (id: string, o: object) => void };
    api.addGatewayResponse('More', { type: { responseType: 'MORE' }, statusCode: '418' });
    expect(deploymentId(withResponse)).not.toBe(original);

    const withMethod = stackWith({});
    const { root } = withMethod.node.findChild('Api') as never as { root: { addMethod: (method: string) => void } };
    root.addMethod('GET');
    expect(deploymentId(withMethod)).not.toBe(original);
  });
});
