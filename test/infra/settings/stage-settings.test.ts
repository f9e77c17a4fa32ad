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
    const env = { account: '111111111111', region: 'eu-west-1' };
    const tables = { ...settings.tables, replicaRegions: ['us-east-1'], ceiling: { read: 100, write: 50 } };
    const replicas = Object.values(
      Template.fromStack(stackWith({ tables }, { env })).findResources('AWS::DynamoDB::GlobalTable'),
    ).map(({ Properties }) => Properties.Replicas.map(({ Region }: { Region: string }) => Region).sort());
    expect(replicas).toEqual([
      ['eu-west-1', 'us-east-1'],
      ['eu-west-1', 'us-east-1'],
    ]);
  });

  test('a web ACL', () => {
    const webAclArn = 'arn:aws:wafv2:eu-west-1:111111111111:regional/webacl/petstore/1';
    Template.fromStack(stackWith({ webAclArn })).hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      WebACLArn: webAclArn,
    });
  });
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
