import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type Json, propertiesOf, readable, templates } from '../../support/synthesized.ts';

/** What is compared with the threshold, or one of the metrics that it is made of, with its id. */
const metricText = ({ Id, Expression, ReturnData = true, MetricStat: { Metric, Stat, Period } = {} }: Json): string => {
  const dimensions = Metric?.Dimensions?.map(({ Name, Value }: Json) => ` ${Name}=${Value}`).join('') ?? '';
  const text = Expression ?? `${Metric.Namespace} ${Metric.MetricName}${dimensions}, ${Stat} of ${Period} s`;
  return ReturnData ? text : `${Id}: ${text}`;
};

const row = ([id, alarm]: [string, Json]) => {
  const { Threshold, EvaluationPeriods: n, DatapointsToAlarm: m = n, Period } = alarm;
  const MetricStat = { Metric: alarm, Stat: alarm.Statistic ?? alarm.ExtendedStatistic, Period };
  const metrics = alarm.Metrics ?? [{ MetricStat }];
  return [id.replace('Alarms', ''), ...metrics.map(metricText), Threshold, `${m} of ${n}`];
};

describe.each(Object.keys(templates))('the alarms of %s', (stageName) => {
  const stack = readable(templates[stageName]);
  const of = (type: string) => Object.values(propertiesOf(stack, type));
  const alarms = Object.entries(propertiesOf(stack, 'AWS::CloudWatch::Alarm'));

  test('are these: metrics, threshold, and in how many of how many periods', () => {
    const ofApi = (metric: string, route = '') =>
      `AWS/ApiGateway ${metric} ApiName=petstore-inventory-${stageName} ${route}Stage=<ApiDeploymentStage${stageName}>`;
    expect(alarms.map(row)).toEqual([
      // Each error and fault of a new version, even if its metrics come late.
      ...['Authorizer', 'ListInventory', 'UpdateInventory'].map((name) => [
        `${stageName}petstoreinventory${name}LiveNewVersionFails`,
        'FILL(errors, 0) + FILL(faults, 0)',
        `errors: AWS/Lambda Errors ExecutedVersion=<${name}CurrentVersion.Version> FunctionName=<${name}> ` +
          `Resource=<${name}>:live, Sum of 60 s`,
        `faults: PetstoreInventory Faults FunctionName=<${name}> FunctionVersion=<${name}CurrentVersion.Version>, Sum of 60 s`,
        1,
        name === 'ListInventory' ? '1 of 10' : '1 of 5',
      ]),
      [
        'ServerErrors',
        '100 * errors / IF(requests > 100, requests, 100)',
        `errors: ${ofApi('5XXError')}, Sum of 300 s`,
        `requests: ${ofApi('Count')}, Sum of 300 s`,
        1,
        '1 of 1',
      ],
      ['Faults', `PetstoreInventory Faults Stage=${stageName}, Sum of 60 s`, 1, '1 of 5'],
      ['Throttling', `PetstoreInventory/${stageName} Throttled, Sum of 60 s`, 60, '3 of 5'],
      [
        'UpdateLatency',
        `${ofApi('Latency', 'Method=PATCH Resource=/v1/inventory/{petId} ')}, p99 of 60 s`,
        1_000,
        '3 of 5',
      ],
      // What is measured of a list comes when it ends, up to five minutes later, with the time at which it began.
      ['ListLatency', `${ofApi('Latency', 'Method=GET Resource=/v1/inventory ')}, p99 of 60 s`, 60_000, '3 of 10'],
      ['AuthorizerErrors', 'AWS/Lambda Errors FunctionName=<Authorizer>, Sum of 60 s', 1, '1 of 5'],
      ['AuthorizerThrottles', 'AWS/Lambda Throttles FunctionName=<Authorizer>, Sum of 300 s', 1, '1 of 1'],
      ['AuthorizerDuration', 'AWS/Lambda Duration FunctionName=<Authorizer>, Maximum of 60 s', 8_000, '3 of 5'],
      ['ListInventoryErrors', 'AWS/Lambda Errors FunctionName=<ListInventory>, Sum of 60 s', 1, '1 of 10'],
      ['ListInventoryThrottles', 'AWS/Lambda Throttles FunctionName=<ListInventory>, Sum of 300 s', 1, '1 of 1'],
      [
        'ListInventoryDuration',
        'AWS/Lambda Duration FunctionName=<ListInventory>, Maximum of 60 s',
        240_000,
        '3 of 15',
      ],
      ['UpdateInventoryErrors', 'AWS/Lambda Errors FunctionName=<UpdateInventory>, Sum of 60 s', 1, '1 of 5'],
      ['UpdateInventoryThrottles', 'AWS/Lambda Throttles FunctionName=<UpdateInventory>, Sum of 300 s', 1, '1 of 1'],
      [
        'UpdateInventoryDuration',
        'AWS/Lambda Duration FunctionName=<UpdateInventory>, Maximum of 60 s',
        8_000,
        '3 of 5',
      ],
      ...[
        ['InventoryScan', '<InventoryTable>', 'Scan'],
        ['InventoryUpdateItem', '<InventoryTable>', 'UpdateItem'],
        ['ApiKeysGetItem', '<ApiKeysTable>', 'GetItem'],
      ].flatMap(([id, table, operation]) => [
        [
          `${id}SystemErrors`,
          `AWS/DynamoDB SystemErrors Operation=${operation} TableName=${table}, Sum of 300 s`,
          5,
          '1 of 1',
        ],
        [
          `${id}Throttles`,
          `AWS/DynamoDB ThrottledRequests Operation=${operation} TableName=${table}, Sum of 300 s`,
          5,
          '1 of 1',
        ],
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
