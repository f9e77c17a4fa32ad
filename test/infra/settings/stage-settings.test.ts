import { describe, expect, test } from '@jest/globals';
import { App, Duration, Stage, type StageProps } from 'aws-cdk-lib';
import { Template as StackTemplate } from 'aws-cdk-lib/assertions';
import { InventoryStack } from '../../../infra/inventory-stack.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { servedProperties } from '../../../local/gateway/served-properties.ts';
import { staging } from '../../support/stack/stages.ts';
import { readable, type Template } from '../../support/stack/template.ts';

const env = { account: '111111111111', region: 'eu-west-1' };

const templateWith = (more: Partial<StageSettings>, props: StageProps = {}): Template => {
  // Bundling, which takes seconds, is left out.
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new InventoryStack(new Stage(app, 'test', props), 'petstore-inventory', {
    ...staging,
    ...more,
  });
  return StackTemplate.fromStack(stack).toJSON() as Template;
};

describe('a stage may have', () => {
  const stageWith = (...options: Parameters<typeof templateWith>) =>
    readable(templateWith(...options));

  test('a domain name of its own, beside the one from API Gateway, which clients already use', () => {
    const domainName = 'api.example.com';
    const certificateArn =
      'arn:aws:acm:eu-west-1:111111111111:certificate/12345678-1234-1234-1234-123456789012';
    const { all, Outputs } = stageWith({ customDomain: { domainName, certificateArn } });

    const domain = {
      DomainName: domainName,
      RegionalCertificateArn: certificateArn,
      SecurityPolicy: 'TLS_1_2',
    };
    expect(all('AWS::ApiGateway::DomainName')).toEqual([
      { ...domain, EndpointConfiguration: { Types: ['REGIONAL'] } },
    ]);
    expect(all('AWS::ApiGateway::BasePathMapping')).toEqual([
      { DomainName: '<ApiDomain>', RestApiId: '<Api>', Stage: '<ApiDeploymentStagetest>' },
    ]);
    expect(all('AWS::ApiGateway::RestApi')[0]).not.toHaveProperty(
      'DisableExecuteApiEndpoint',
      true,
    );
    expect(Outputs).toMatchObject({
      BaseUrl: { Value: `https://${domainName}/v1` },
      DomainTarget: {},
    });
  });

  test('copies of its tables in other regions', () => {
    const tables = {
      ...staging.tables,
      replicaRegions: ['us-east-1'],
      ceiling: { read: 100, write: 50 },
    };
    const replicas = [{ Region: 'us-east-1' }, { Region: 'eu-west-1' }];
    const found = stageWith({ tables }, { env }).all('AWS::DynamoDB::GlobalTable');
    expect(found).toMatchObject([{ Replicas: replicas }, { Replicas: replicas }]);
    // A local run accepts every property that copies add to a table.
    expect(servedProperties['AWS::DynamoDB::GlobalTable']).toEqual(
      expect.arrayContaining(Object.keys(found[0])),
    );
  });

  test('a firewall that limits each IP address, more strictly lists and requests without a well-formed key of the stage', () => {
    const { all } = stageWith({
      firewall: { withoutKeyLimit: 100, listLimit: 200, limit: 1_000 },
      webAclArn: '',
    });
    const body = {
      code: 'too_many_requests',
      message: 'Too many requests. Try again later.',
      status: 429,
    };
    const unseen = { CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false };
    const ResponseHeaders = [{ Name: 'Retry-After', Value: '60' }];
    const CustomResponse = {
      ResponseCode: 429,
      CustomResponseBodyKey: 'TooManyRequests',
      ResponseHeaders,
    };
    const rule = (Name: string, Priority: number, statement: object) => ({
      Name,
      Priority,
      Action: { Block: { CustomResponse } },
      Statement: {
        RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 60, ...statement },
      },
      VisibilityConfig: { MetricName: Name, ...unseen },
    });
    const matches = (RegexString: string, FieldToMatch: object) => ({
      RegexMatchStatement: {
        RegexString,
        FieldToMatch,
        TextTransformations: [{ Priority: 0, Type: 'NONE' }],
      },
    });
    const pattern = '^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_test_[0-9a-f]{48}$';
    const Statement = matches(pattern, { SingleHeader: { Name: 'authorization' } });
    expect(all('AWS::WAFv2::WebACL')).toMatchObject([
      {
        Scope: 'REGIONAL',
        DefaultAction: { Allow: {} },
        CustomResponseBodies: {
          TooManyRequests: { ContentType: 'APPLICATION_JSON', Content: JSON.stringify(body) },
        },
        Rules: [
          rule('RequestsWithoutKey', 0, {
            Limit: 100,
            ScopeDownStatement: { NotStatement: { Statement } },
          }),
          rule('ListRequests', 1, {
            Limit: 200,
            ScopeDownStatement: matches('^GET$', { Method: {} }),
          }),
          rule('AllRequests', 2, { Limit: 1_000 }),
        ],
        VisibilityConfig: { MetricName: 'petstore-inventory-test', ...unseen },
      },
    ]);
    const ResourceArn =
      'arn:<AWS::Partition>:apigateway:<AWS::Region>::/restapis/<Api>/stages/<ApiDeploymentStagetest>';
    expect(all('AWS::WAFv2::WebACLAssociation')).toEqual([
      { WebACLArn: '<ApiFirewall.Arn>', ResourceArn },
    ]);
  });

  test('a web ACL of its own in place of the firewall', () => {
    const webAclArn = 'arn:aws:wafv2:eu-west-1:111111111111:regional/webacl/petstore/1';
    const { all, Resources } = stageWith({
      webAclArn,
      firewall: { withoutKeyLimit: 100, listLimit: 200, limit: 1_000 },
    });
    const Properties = { ResourceArn: expect.anything(), WebACLArn: webAclArn };
    expect(Resources.ApiWebAcl).toMatchObject({
      Properties,
      UpdateReplacePolicy: 'Retain',
      DeletionPolicy: 'Delete',
    });
    expect(all('AWS::WAFv2::WebACL')).toEqual([]);
  });

  test('a limit on how many lists run at the same time', () => {
    const functions = stageWith({ list: { ...staging.list, reservedConcurrency: 20 } }).all(
      'AWS::Lambda::Function',
    );
    // The functions are the authorizer, the list and the update, in this order.
    expect(functions.map((lambda) => lambda.ReservedConcurrentExecutions)).toEqual([
      undefined,
      20,
      undefined,
    ]);
  });

  test.each([30, 300])('lists that may take %i s, for which API Gateway waits', (seconds) => {
    const timeout = Duration.seconds(seconds);
    const { of } = stageWith({ list: { ...staging.list, timeout } });
    expect(of('AWS::Lambda::Function').ListInventory).toMatchObject({
      Timeout: seconds,
      Environment: { Variables: { LIST_TIMEOUT_SECONDS: String(seconds) } },
    });
    const { Integration } = of('AWS::ApiGateway::Method').Apiv1inventoryGET;
    expect(Integration.TimeoutInMillis).toBe(1_000 * (seconds + 10));
  });

  test.each([29, 301])('no lists that may take %i s', (seconds) => {
    const timeout = Duration.seconds(seconds);
    expect(() => stageWith({ list: { ...staging.list, timeout } })).toThrow(
      `list.timeout must be from 30 to 300 s, not ${seconds} s.`,
    );
  });

  test('an email address to which alarms are sent', () => {
    const { all } = stageWith({ alarmEmail: 'me@example.com' });
    const subscription = {
      Protocol: 'email',
      Endpoint: 'me@example.com',
      TopicArn: '<AlarmsTopic>',
    };
    expect(all('AWS::SNS::Subscription')).toEqual([subscription]);
  });
});

test('a region that is added later changes nothing but the deployment of the API', () => {
  const [without, withRegion] = [templateWith({}), templateWith({}, { env })];
  const inRegion = (template: Template): Template =>
    JSON.parse(
      JSON.stringify(readable(template))
        .replaceAll('<AWS::AccountId>', env.account)
        .replaceAll('<AWS::Region>', env.region),
    );
  expect(inRegion(withRegion)).toEqual(inRegion(without));
  // In particular, no new version is published, whose code would be the same as before.
  const added = Object.keys(withRegion.Resources).filter((id) => !(id in without.Resources));
  expect(added).toEqual([expect.stringMatching(/^ApiDeploymentB17BE/)]);
});
