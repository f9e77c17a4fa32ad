import { describe, expect, test } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { servedProperties } from '../../../local/gateway/served-properties.ts';
import { stackWith, templateOf } from '../../support/stack/in-process.ts';
import { staging } from '../../support/stack/stages.ts';
import { readable, resourcesOf, type Template } from '../../support/stack/template.ts';

const env = { account: '111111111111', region: 'eu-west-1' };

describe('a stage may have', () => {
  test('a domain name of its own, beside the one that clients already use', () => {
    const domainName = 'api.example.com';
    const certificateArn =
      'arn:aws:acm:eu-west-1:111111111111:certificate/12345678-1234-1234-1234-123456789012';
    const template = templateOf('test', {
      ...staging,
      customDomain: { domainName, certificateArn },
    });
    const { all, Outputs } = readable(template);
    // CloudFormation would replace a domain whose logical id changes.
    expect(Object.keys(resourcesOf(template, 'AWS::ApiGateway::DomainName'))).toEqual([
      'ApiDomain95042711',
    ]);

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
    const found = stackWith({ tables, env }).all('AWS::DynamoDB::GlobalTable');
    expect(found).toMatchObject([{ Replicas: replicas }, { Replicas: replicas }]);
    // A local run accepts every property that copies add to a table.
    expect(servedProperties['AWS::DynamoDB::GlobalTable']).toEqual(
      expect.arrayContaining(Object.keys(found[0])),
    );
  });

  test('an email address to which alarms are sent', () => {
    const { all } = stackWith({ alarmEmail: 'me@example.com' });
    const subscription = {
      Protocol: 'email',
      Endpoint: 'me@example.com',
      TopicArn: '<AlarmsTopic>',
    };
    expect(all('AWS::SNS::Subscription')).toEqual([subscription]);
  });
});

describe('a stage may have for its lists', () => {
  test('a limit on how many run at the same time', () => {
    const functions = stackWith({ list: { ...staging.list, reservedConcurrency: 20 } }).all(
      'AWS::Lambda::Function',
    );
    // The functions are the authorizer, the list and the update, in this order.
    expect(functions.map((lambda) => lambda.ReservedConcurrentExecutions)).toEqual([
      undefined,
      20,
      undefined,
    ]);
  });

  test.each([30, 300])('a time limit of %i s, for which API Gateway waits', (seconds) => {
    const timeout = Duration.seconds(seconds);
    const { byName } = stackWith({ list: { ...staging.list, timeout } });
    expect(byName('AWS::Lambda::Function').ListInventory).toMatchObject({
      Timeout: seconds,
      Environment: { Variables: { LIST_TIMEOUT_SECONDS: String(seconds) } },
    });
    const { Integration } = byName('AWS::ApiGateway::Method').Apiv1inventoryGET;
    expect(Integration.TimeoutInMillis).toBe(1_000 * (seconds + 10));
  });

  test.each([29, 301])('no time limit of %i s', (seconds) => {
    const timeout = Duration.seconds(seconds);
    expect(() => stackWith({ list: { ...staging.list, timeout } })).toThrow(
      `list.timeout must be from 30 to 300 s, not ${seconds} s.`,
    );
  });
});

test('a stage may warm a table up for the throughput of an import', () => {
  const tables = {
    ...staging.tables,
    warmThroughput: { Inventory: { read: 13_000, write: 5_000 } },
  };
  const [inventory, apiKeys] = stackWith({ tables }).all('AWS::DynamoDB::GlobalTable');
  expect(inventory.WarmThroughput).toEqual({
    ReadUnitsPerSecond: 13_000,
    WriteUnitsPerSecond: 5_000,
  });
  expect(apiKeys).not.toHaveProperty('WarmThroughput');
  expect(servedProperties['AWS::DynamoDB::GlobalTable']).toContain('WarmThroughput');
});

test('a region that is added later changes nothing but the deployment of the API', () => {
  const without = templateOf('test', staging);
  const withRegion = templateOf('test', { ...staging, env });
  const inRegion = (template: Template): Template =>
    JSON.parse(
      JSON.stringify(readable(template))
        .replaceAll('<AWS::AccountId>', env.account)
        .replaceAll('<AWS::Region>', env.region)
        .replaceAll('<AWS::Partition>', 'aws'),
    );
  expect(inRegion(withRegion)).toEqual(inRegion(without));
  // In particular, no new version is published, whose code would be the same as before.
  const added = Object.keys(withRegion.Resources).filter((id) => !(id in without.Resources));
  expect(added).toEqual([expect.stringMatching(/^ApiDeploymentB17BE/)]);
});
