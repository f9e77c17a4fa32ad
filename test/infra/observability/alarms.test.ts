import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { propertiesOf, readable, templates } from '../../support/synthesized.ts';

interface Alarm {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: string }[];
  Metrics?: { Expression?: string }[];
  Statistic?: string;
  ExtendedStatistic?: string;
  Period: number;
  Threshold: number;
  DatapointsToAlarm?: number;
  EvaluationPeriods: number;
}

/** A metric with its dimensions within the API and the stage. */
const metricOf = ({ Namespace, MetricName, Dimensions = [], Period, ...alarm }: Alarm): string => {
  const values = Dimensions.filter(({ Name }) => !/^(ApiName|Stage)$/.test(Name)).map(({ Value }) => Value);
  return `${[Namespace, MetricName, ...values].join(' ')}, ${alarm.Statistic ?? alarm.ExtendedStatistic} of ${Period} s`;
};

const row = (id: string, alarm: Alarm) => {
  const { Metrics, Threshold, EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods } = alarm;
  const metric = Metrics?.[0]?.Expression ?? metricOf(alarm);
  return [id.replace('Alarms', ''), metric, Threshold, `${DatapointsToAlarm} of ${EvaluationPeriods}`];
};

describe.each(Object.keys(templates))('the alarms of %s', (stageName) => {
  const stack = readable(templates[stageName]);
  const of = (type: string) => Object.values(propertiesOf(stack, type));
  const alarms = Object.entries(propertiesOf(stack, 'AWS::CloudWatch::Alarm')).filter(([id]) => /^Alarms/.test(id));

  test('are these: metric, threshold, and in how many of how many periods', () => {
    expect(alarms.map(([id, alarm]) => row(id, alarm as never))).toEqual([
      ['ServerErrors', '100 * errors / IF(requests > 100, requests, 100)', 1, '1 of 1'],
      ['Faults', 'PetstoreInventory Faults, Sum of 60 s', 1, '1 of 5'],
      ['Throttling', `PetstoreInventory/${stageName} Throttled, Sum of 60 s`, 60, '3 of 5'],
      ['UpdateLatency', 'AWS/ApiGateway Latency PATCH /v1/inventory/{petId}, p99 of 60 s', 1_000, '3 of 5'],
      // What is measured of a list comes when it ends, up to five minutes later, with the time at which it began.
      ['ListLatency', 'AWS/ApiGateway Latency GET /v1/inventory, p99 of 60 s', 60_000, '3 of 10'],
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
        ['InventoryScan', 'Scan <InventoryTable>'],
        ['InventoryUpdateItem', 'UpdateItem <InventoryTable>'],
        ['ApiKeysGetItem', 'GetItem <ApiKeysTable>'],
      ].flatMap(([id, operation]) => [
        [`${id}SystemErrors`, `AWS/DynamoDB SystemErrors ${operation}, Sum of 300 s`, 5, '1 of 1'],
        [`${id}Throttles`, `AWS/DynamoDB ThrottledRequests ${operation}, Sum of 300 s`, 5, '1 of 1'],
      ]),
    ]);
    const stages = JSON.stringify(alarms).match(/(?<="Name":"Stage","Value":")[^"]*/g);
    const stage = `<ApiDeploymentStage${stageName}>`;
    expect(stages).toEqual([stage, stage, stageName, stage, stage]);
  });

  test('compare with the threshold alike, tell the topic, and name their sections in the runbook', () => {
    const runbook = readFileSync('docs/runbook.md', 'utf8');
    const sections = [...runbook.matchAll(/^### (.+)$/gm)].flatMap(([, title = '']) => title.split(', '));
    expect(sections.sort()).toEqual(alarms.map(([id]) => id.replace('Alarms', '')).sort());
    for (const [id, alarm] of alarms) {
      const section = `See ${id.replace('Alarms', '')} in docs/runbook.md.`;
      expect(alarm).toMatchObject({
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
        AlarmActions: ['<AlarmsTopic>'],
        OKActions: ['<AlarmsTopic>'],
        AlarmDescription: expect.stringMatching(`^[^.]+\\. ${section}$`),
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
    const [{ AccessLogSetting } = {}] = of('AWS::ApiGateway::Stage');
    expect(AccessLogSetting).toMatchObject({
      Format: expect.stringContaining('"responseType":"$context.error.responseType"'),
      DestinationArn: expect.stringMatching(/<ApiAccessLog>$/),
    });
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
