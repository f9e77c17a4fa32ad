import { describe, expect, test } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { listDuration } from '../../../infra/settings/list-duration.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { servedProperties } from '../../../local/gateway/served-properties.ts';
import { templateOf } from '../../support/stack/in-process.ts';
import { prod, staging } from '../../support/stack/stages.ts';
import { readable, resourcesOf, type Template } from '../../support/stack/template.ts';

const env = { account: '111111111111', region: 'eu-west-1' };
const domainName = 'api.example.com';
const certificateArn =
  'arn:aws:acm:eu-west-1:111111111111:certificate/12345678-1234-1234-1234-123456789012';
const webAclArn = 'arn:aws:wafv2:eu-west-1:111111111111:regional/webacl/petstore/1';

/** A stage with each setting that the delivered ones leave out. */
const settings: StageSettings = {
  ...prod,
  env,
  tables: {
    ...prod.tables,
    replicaRegions: ['us-east-1'],
    warmThroughput: { Inventory: { read: 13_000, write: 5_000 } },
  },
  list: { ...prod.list, timeout: Duration.minutes(5), reservedConcurrency: 20 },
  alarmEmail: 'me@example.com',
  customDomain: { domainName, certificateArn },
  webAclArn,
};

const template = templateOf('test', settings);
const { all, byName, Outputs } = readable(template);

describe('a stage may have', () => {
  test('a domain name of its own, beside the one that clients already use', () => {
    expect(all('AWS::ApiGateway::DomainName')).toEqual([
      {
        DomainName: domainName,
        RegionalCertificateArn: certificateArn,
        SecurityPolicy: 'TLS_1_2',
        EndpointConfiguration: { Types: ['REGIONAL'] },
      },
    ]);
    expect(all('AWS::ApiGateway::BasePathMapping')).toEqual([
      { DomainName: '<ApiDomain>', RestApiId: '<Api>', Stage: '<ApiDeploymentStagetest>' },
    ]);
    const [api] = all('AWS::ApiGateway::RestApi');
    expect(api).not.toHaveProperty('DisableExecuteApiEndpoint', true);
    expect(Outputs).toMatchObject({
      BaseUrl: { Value: `https://${domainName}/v1` },
      DomainTarget: {},
    });
  });

  test('copies of its tables in other regions', () => {
    const replicas = [{ Region: 'us-east-1' }, { Region: 'eu-west-1' }];
    const tables = all('AWS::DynamoDB::GlobalTable');
    expect(tables).toMatchObject([{ Replicas: replicas }, { Replicas: replicas }]);
  });

  test('a warm throughput for a table', () => {
    const [inventory, apiKeys] = all('AWS::DynamoDB::GlobalTable');
    const throughput = { ReadUnitsPerSecond: 13_000, WriteUnitsPerSecond: 5_000 };
    expect(inventory.WarmThroughput).toEqual(throughput);
    expect(apiKeys).not.toHaveProperty('WarmThroughput');
  });

  test('an email address to which alarms are sent', () => {
    expect(all('AWS::SNS::Subscription')).toEqual([
      { Protocol: 'email', Endpoint: 'me@example.com', TopicArn: '<AlarmsTopic>' },
    ]);
  });

  test('a web ACL of its own in place of the firewall', () => {
    expect(all('AWS::WAFv2::WebACL')).toEqual([]);
    expect(Object.values(resourcesOf(template, 'AWS::WAFv2::WebACLAssociation'))).toMatchObject([
      {
        Properties: { WebACLArn: webAclArn },
        UpdateReplacePolicy: 'Retain',
        DeletionPolicy: 'Delete',
      },
    ]);
  });
});

test('a stage may give its lists more time, and limit how many run at the same time', () => {
  const functions = Object.entries(byName('AWS::Lambda::Function')).map(
    ([name, { Timeout, ReservedConcurrentExecutions, Environment }]) => ({
      name,
      seconds: Timeout,
      reserved: ReservedConcurrentExecutions,
      told: Environment.Variables.LIST_TIMEOUT_SECONDS,
    }),
  );
  expect(functions).toEqual([
    { name: 'Authorizer', seconds: 10 },
    { name: 'ListInventory', seconds: 300, reserved: 20, told: '300' },
    { name: 'UpdateInventory', seconds: 10 },
  ]);
  // API Gateway waits a little longer.
  const { Integration } = byName('AWS::ApiGateway::Method').Apiv1inventoryGET;
  expect(Integration.TimeoutInMillis).toBe(310_000);
});

const durationOf = (seconds: number): Duration =>
  listDuration({ ...staging, list: { ...staging.list, timeout: Duration.seconds(seconds) } });

test('a list may take 60 s, unless the stage says otherwise', () => {
  expect(listDuration(staging).toSeconds()).toBe(60);
});

test.each([30, 300])('a list may take %i s', (seconds) => {
  expect(durationOf(seconds).toSeconds()).toBe(seconds);
});

test.each([29, 301])('a list may not take %i s', (seconds) => {
  expect(() => durationOf(seconds)).toThrow(
    `list.timeout must be from 30 to 300 s, not ${seconds} s.`,
  );
});

// CloudFormation would replace a domain whose logical id changes.
test('the domain keeps its logical id', () => {
  const domains = resourcesOf(template, 'AWS::ApiGateway::DomainName');
  expect(Object.keys(domains)).toEqual(['ApiDomain95042711']);
});

test('a local run serves each property that the settings add to a table', () => {
  const [table] = all('AWS::DynamoDB::GlobalTable');
  expect(servedProperties['AWS::DynamoDB::GlobalTable']).toEqual(
    expect.arrayContaining(Object.keys(table)),
  );
});

test('a region that is added later changes nothing but the deployment of the API', () => {
  const without = templateOf('test', staging);
  const withRegion = templateOf('test', { ...staging, env });
  const inRegion = (of: Template): Template =>
    JSON.parse(
      JSON.stringify(readable(of))
        .replaceAll('<AWS::AccountId>', env.account)
        .replaceAll('<AWS::Region>', env.region)
        .replaceAll('<AWS::Partition>', 'aws'),
    );
  expect(inRegion(withRegion)).toEqual(inRegion(without));
  // In particular, no new version is published, whose code would be the same as before.
  const added = Object.keys(withRegion.Resources).filter((id) => !(id in without.Resources));
  expect(added).toEqual([expect.stringMatching(/^ApiDeploymentB17BE/)]);
});
