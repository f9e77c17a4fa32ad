import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../../ops/stage/stage.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { resourcesOf, stackOf, templates } from '../../support/stack/synthesized.ts';
import type { Json, Template } from '../../support/stack/template.ts';

test('petstore has a name for each stage that is synthesized', () => {
  const synthesized = globSync('assembly-*', { cwd: assembly });
  expect(synthesized.sort()).toEqual(stageNames.map((name) => `assembly-${name}`).sort());
});

const tablesOf = (stageName: string) =>
  Object.values(resourcesOf(stackOf(stageName), 'AWS::DynamoDB::GlobalTable'));

describe.each([
  { stageName: 'staging', policy: 'Delete', isProtected: false },
  { stageName: 'prod', policy: 'Retain', isProtected: true },
])('in $stageName', ({ stageName, policy, isProtected }) => {
  test('the tables have a partition key and the protection of their stage', () => {
    const table = (AttributeName: string, AttributeType: string) => ({
      DeletionPolicy: policy,
      UpdateReplacePolicy: policy,
      Properties: {
        AttributeDefinitions: [{ AttributeName, AttributeType }],
        KeySchema: [{ AttributeName, KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [
          {
            Region: '<AWS::Region>',
            DeletionProtectionEnabled: isProtected,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: isProtected },
          },
        ],
      },
    });
    expect(tablesOf(stageName)).toMatchObject([table('petId', 'N'), table('keyHash', 'S')]);
  });

  test('the stack is as protected as its tables', () => {
    const manifest = readFileSync(join(assembly, `assembly-${stageName}/manifest.json`), 'utf8');
    const stacks = Object.values<Json>(JSON.parse(manifest).artifacts).filter(
      ({ type }) => type === 'aws:cloudformation:stack',
    );
    const protections = stacks.map(({ properties }) => properties.terminationProtection ?? false);
    expect(protections).toEqual([isProtected]);
  });
});

test('the throughput of each table has a ceiling in prod', () => {
  const table = {
    Properties: {
      Replicas: [{ ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 40_000 } }],
      WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 4_000 },
    },
  };
  expect(tablesOf('prod')).toMatchObject([table, table]);
});

// CloudFormation replaces a resource whose logical id changes. Clients or operators would lose
// these. test/infra/settings/stage-settings.slow.ts has the id of the domain.
test.each([
  { stageName: 'staging', stage: 'ApiDeploymentStagestagingCADBBC24' },
  { stageName: 'prod', stage: 'ApiDeploymentStageprod3EB9684E' },
])('$stageName keeps its tables, API and topic', ({ stageName, stage }) => {
  const idsOf = (type: string) => Object.keys(resourcesOf(templates[stageName] as Template, type));
  expect(idsOf('AWS::DynamoDB::GlobalTable')).toEqual([
    'InventoryTableFD135387',
    'ApiKeysTable9F4DC7E7',
  ]);
  expect(idsOf('AWS::ApiGateway::RestApi')).toEqual(['ApiF70053CD']);
  expect(idsOf('AWS::ApiGateway::Stage')).toEqual([stage]);
  expect(idsOf('AWS::SNS::Topic')).toEqual(['AlarmsTopic3A2DFEBA']);
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

const throttlingOf = (stageName: string, method: string, path: string) => {
  const [{ MethodSettings }] = stackOf(stageName).all('AWS::ApiGateway::Stage');
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = MethodSettings.find(
    (each: Json) => each.HttpMethod === method && each.ResourcePath === path,
  );
  return { rate, burst };
};

// Paths as API Gateway's settings of methods have them: ~1 is a slash.
const list = '/~1v1~1inventory';
const update = '/~1v1~1inventory~1{petId}';

describe.each(['staging', 'prod'])('%s', (stageName) => {
  test('accepts 10 lists and 2,000 updates a second', () => {
    expect(throttlingOf(stageName, 'GET', list)).toEqual({ rate: 10, burst: 20 });
    expect(throttlingOf(stageName, 'PATCH', update)).toEqual({ rate: 2_000, burst: 4_000 });
  });

  test('leaves executions for updates when every list takes as long as it may', () => {
    const { Timeout } = stackOf(stageName).byName('AWS::Lambda::Function').ListInventory;
    // An account that has asked for no other quota runs 1,000 functions at a time. Updates and the
    // authorizer need what lists may not occupy.
    expect(throttlingOf(stageName, 'GET', list).rate * Timeout).toBeLessThanOrEqual(600);
  });
});

describe('the firewall of prod', () => {
  const limits = (): Record<string, number> =>
    Object.fromEntries(
      stackOf('prod')
        .all('AWS::WAFv2::WebACL')
        .flatMap(({ Rules }) => Rules)
        .filter(({ Statement }: Json) => Statement.RateBasedStatement)
        .map(({ Name, Statement }: Json) => [Name, Statement.RateBasedStatement.Limit]),
    );

  test('limits what an address and a key may send in a minute', () => {
    expect(limits()).toEqual({
      RequestsWithoutKey: 500,
      ListRequests: 150,
      AllRequests: 12_000,
      ListRequestsOfKey: 150,
      AllRequestsOfKey: 30_000,
    });
  });

  test('leaves to others three quarters of the requests that the stage accepts', () => {
    const quarterOf = (method: string, path: string) =>
      (60 * throttlingOf('prod', method, path).rate) / 4;
    const { ListRequests = 0, ListRequestsOfKey = 0, ...ofAll } = limits();
    expect(Math.max(ListRequests, ListRequestsOfKey)).toBeLessThanOrEqual(quarterOf('GET', list));
    expect(Math.max(...Object.values(ofAll))).toBeLessThanOrEqual(quarterOf('PATCH', update));
  });
});
