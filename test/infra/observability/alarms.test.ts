import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { propertiesOf, readable, templates } from '../../support/synthesized.ts';

interface Metric {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Value: string }[];
}

interface MetricQuery {
  Id?: string;
  Expression?: string;
  MetricStat?: { Metric: Metric; Stat: string | undefined; Period: number };
}

interface Alarm extends Metric {
  Metrics?: MetricQuery[];
  Statistic?: string;
  ExtendedStatistic?: string;
  Period: number;
  Threshold: number;
  DatapointsToAlarm?: number;
  EvaluationPeriods: number;
}

const metricText = ({ Id, Expression, MetricStat }: MetricQuery) => {
  const { Metric: { Namespace, MetricName, Dimensions = [] } = {}, Stat, Period } = MetricStat ?? {};
  const metric = [Namespace, MetricName, ...Dimensions.map(({ Value }) => Value)].join(' ');
  return Expression ?? `${Id ? `${Id}: ` : ''}${metric}, ${Stat} of ${Period} s`;
};

const row = ([id, alarm]: [string, Alarm]) => {
  const { Threshold, EvaluationPeriods: n, DatapointsToAlarm: m = n, Period } = alarm;
  const Stat = alarm.Statistic ?? alarm.ExtendedStatistic;
  const metrics = alarm.Metrics ?? [{ MetricStat: { Metric: alarm, Stat, Period } }];
  return [id.replace('Alarms', ''), ...metrics.map(metricText), Threshold, `${m} of ${n}`];
};

describe.each(Object.keys(templates))('the alarms of %s', (stageName) => {
  const stack = readable(templates[stageName]);
  const of = (type: string) => Object.values(propertiesOf(stack, type));
  const alarms = Object.entries(propertiesOf<Alarm>(stack, 'AWS::CloudWatch::Alarm'));

  test('are these: metrics, threshold, and in how many of how many periods', () => {
    const api = `petstore-inventory-${stageName}`;
    const stage = `<ApiDeploymentStage${stageName}>`;
    expect(alarms.map(row)).toEqual([
      // Each error and fault of a new version, even if its metrics come late.
      ...['Authorizer', 'ListInventory', 'UpdateInventory'].map((name) => [
        `${stageName}petstoreinventory${name}LiveNewVersionFails`,
        'FILL(errors, 0) + FILL(faults, 0)',
        `errors: AWS/Lambda Errors <${name}CurrentVersion.Version> <${name}> <${name}>:live, Sum of 60 s`,
        `faults: PetstoreInventory Faults <${name}> <${name}CurrentVersion.Version>, Sum of 60 s`,
        1,
        name === 'ListInventory' ? '1 of 10' : '1 of 5',
      ]),
      [
        'ServerErrors',
        '100 * errors / IF(requests > 100, requests, 100)',
        `errors: AWS/ApiGateway 5XXError ${api} ${stage}, Sum of 300 s`,
        `requests: AWS/ApiGateway Count ${api} ${stage}, Sum of 300 s`,
        1,
        '1 of 1',
      ],
      ['Faults', `PetstoreInventory Faults ${stageName}, Sum of 60 s`, 1, '1 of 5'],
      ['Throttling', `PetstoreInventory/${stageName} Throttled, Sum of 60 s`, 60, '3 of 5'],
      [
        'UpdateLatency',
        `AWS/ApiGateway Latency ${api} PATCH /v1/inventory/{petId} ${stage}, p99 of 60 s`,
        1_000,
        '3 of 5',
      ],
      // What is measured of a list comes when it ends, up to five minutes later, with the time at which it began.
      ['ListLatency', `AWS/ApiGateway Latency ${api} GET /v1/inventory ${stage}, p99 of 60 s`, 60_000, '3 of 10'],
      ['AuthorizerErrors', 'AWS/Lambda Errors <Authorizer>, Sum of 60 s', 1, '1 of 5'],
      ['AuthorizerThrottles', 'AWS/Lambda Throttles <Authorizer>, Sum of 300 s', 1, '1 of 1'],
      ['AuthorizerDuration', 'AWS/Lambda Duration <Authorizer>, Maximum of 60 s', 8_000, '3 of 5'],
      ['ListInventoryErrors', 'AWS/Lambda Errors <ListInventory>, Sum of 60 s', 1, '1 of 10'],
      ['ListInventoryThrottles', 'AWS/Lambda Throttles <ListInventory>, Sum of 300 s', 1, '1 of 1'],
      ['ListInventoryDuration', 'AWS/Lambda Duration <ListInventory>, Maximum of 60 s', 240_000, '3 of 15'],
      ['UpdateInventoryErrors', 'AWS/Lambda Errors <UpdateInventory>, Sum of 60 s', 1, '1 of 5'],
      ['UpdateInventoryThrottles', 'AWS/Lambda Throttles <UpdateInventory>, Sum of 300 s', 1, '1 of 1'],
      ['UpdateInventoryDuration', 'AWS/Lambda Duration <UpdateInventory>, Maximum of 60 s', 8_000, '3 of 5'],
      ...[
        ['InventoryScan', '<InventoryTable>', 'Scan'],
        ['InventoryUpdateItem', '<InventoryTable>', 'UpdateItem'],
        ['ApiKeysGetItem', '<ApiKeysTable>', 'GetItem'],
      ].flatMap(([id, table, operation]) => [
        [`${id}SystemErrors`, `AWS/DynamoDB SystemErrors ${operation} ${table}, Sum of 300 s`, 5, '1 of 1'],
        [`${id}Throttles`, `AWS/DynamoDB ThrottledRequests ${operation} ${table}, Sum of 300 s`, 5, '1 of 1'],
      ]),
    ]);
  });

  test('compare with the threshold alike; those of the stage tell the topic, and name their sections in the runbook', () => {
    for (const [, alarm] of alarms) {
      expect(alarm).toMatchObject({
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
      });
    }
    const runbook = readFileSync('docs/runbook.md', 'utf8');
    const sections = [...runbook.matchAll(/^### (.+)$/gm)].flatMap(([, title = '']) => title.split(', '));
    const ofStage = alarms.filter(([id]) => id.startsWith('Alarms'));
    expect(ofStage.map(([id]) => id).sort()).toEqual(sections.map((name) => `Alarms${name}`).sort());
    for (const [id, alarm] of ofStage) {
      expect(alarm).toMatchObject({
        AlarmActions: ['<AlarmsTopic>'],
        OKActions: ['<AlarmsTopic>'],
        AlarmDescription: expect.stringMatching(`^[^.]+\\. See ${id.replace('Alarms', '')} in docs/runbook.md.$`),
      });
    }
  });

  test('have a topic that CloudWatch alone publishes to, of this account and over TLS', () => {
    const onTopic = { Action: 'sns:Publish', Resource: '<AlarmsTopic>' };
    expect(of('AWS::SNS::TopicPolicy')).toEqual([
      {
        Topics: ['<AlarmsTopic>'],
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              ...{ Sid: 'AllowPublishThroughSSLOnly', Effect: 'Deny', Principal: '*', ...onTopic },
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
            {
              ...{
                Sid: 'AllowAlarms',
                Effect: 'Allow',
                Principal: { Service: 'cloudwatch.amazonaws.com' },
                ...onTopic,
              },
              Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
            },
          ],
        },
      },
    ]);
  });

  test('count as throttled what the access log says of it', () => {
    const MetricNamespace = `PetstoreInventory/${stageName}`;
    expect(of('AWS::Logs::MetricFilter')).toEqual([
      {
        LogGroupName: '<ApiAccessLog>',
        FilterPattern: '{ $.responseType = "THROTTLED" }',
        MetricTransformations: [{ MetricNamespace, MetricName: 'Throttled', MetricValue: '1', DefaultValue: 0 }],
      },
    ]);
  });
});
