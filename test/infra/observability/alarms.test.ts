import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { resourcesOf, type Template, templates } from '../../support/synthesized.ts';

interface Metric {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: unknown }[];
}

interface Alarm extends Metric {
  Metrics?: { Expression?: string }[];
  Statistic?: string;
  ExtendedStatistic?: string;
  Period: number;
  Threshold: number;
  DatapointsToAlarm?: number;
  EvaluationPeriods: number;
}

/** A metric with its dimensions; of a reference, the id of the construct. */
const metricText = ({ Namespace, MetricName, Dimensions = [] }: Metric) => {
  const values = Dimensions.filter(({ Name }) => !/^(ApiName|Stage)$/.test(Name)).map(({ Value }) =>
    typeof Value === 'string' ? Value : (Value as { Ref: string }).Ref.replace(/[0-9A-F]{8}$/, ''),
  );
  return [Namespace, MetricName, ...values].join(' ');
};

const row = (alarm: Alarm) => {
  const { Metrics, Statistic, ExtendedStatistic, Period, Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm;
  const metric = Metrics?.[0]?.Expression ?? `${metricText(alarm)}, ${Statistic ?? ExtendedStatistic} of ${Period} s`;
  return [metric, Threshold, `${DatapointsToAlarm ?? EvaluationPeriods} of ${EvaluationPeriods}`];
};

const ofStage = (template: Template) =>
  Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm')).filter(([id]) => id.startsWith('Alarms'));

describe.each(Object.keys(templates))('the alarms of %s', (stageName) => {
  const template = templates[stageName] as Template;
  const alarms = ofStage(template).map(([id, { Properties }]) => [id.replace(/^Alarms|[0-9A-F]{8}$/g, ''), Properties]);

  test('are these: metric, threshold, and in how many of how many periods', () => {
    const rows = alarms.map(([id, properties]) => [id, ...row(properties as never)]);
    expect(rows).toEqual([
      ['ServerErrors', '100 * errors / IF(requests > 100, requests, 100)', 1, '1 of 1'],
      ['Faults', 'PetstoreInventory Faults, Sum of 60 s', 1, '1 of 5'],
      ['Throttling', `PetstoreInventory/${stageName} Throttled, Sum of 60 s`, 60, '3 of 5'],
      ['UpdateLatency', 'AWS/ApiGateway Latency PATCH /v1/inventory/{petId}, p99 of 60 s', 1_000, '3 of 5'],
      // What is measured of a list comes when it ends, up to five minutes later, with the time at which it began.
      ['ListLatency', 'AWS/ApiGateway Latency GET /v1/inventory, p99 of 60 s', 60_000, '3 of 10'],
      ['AuthorizerErrors', 'AWS/Lambda Errors Authorizer, Sum of 60 s', 1, '1 of 5'],
      ['AuthorizerThrottles', 'AWS/Lambda Throttles Authorizer, Sum of 300 s', 1, '1 of 1'],
      ['AuthorizerDuration', 'AWS/Lambda Duration Authorizer, Maximum of 60 s', 8_000, '3 of 5'],
      ['ListInventoryErrors', 'AWS/Lambda Errors ListInventory, Sum of 60 s', 1, '1 of 10'],
      ['ListInventoryThrottles', 'AWS/Lambda Throttles ListInventory, Sum of 300 s', 1, '1 of 1'],
      ['ListInventoryDuration', 'AWS/Lambda Duration ListInventory, Maximum of 60 s', 240_000, '3 of 15'],
      ['UpdateInventoryErrors', 'AWS/Lambda Errors UpdateInventory, Sum of 60 s', 1, '1 of 5'],
      ['UpdateInventoryThrottles', 'AWS/Lambda Throttles UpdateInventory, Sum of 300 s', 1, '1 of 1'],
      ['UpdateInventoryDuration', 'AWS/Lambda Duration UpdateInventory, Maximum of 60 s', 8_000, '3 of 5'],
      ...[
        ['Inventory', 'Scan'],
        ['Inventory', 'UpdateItem'],
        ['ApiKeys', 'GetItem'],
      ].flatMap(([table, operation]) => [
        [
          `${table}${operation}SystemErrors`,
          `AWS/DynamoDB SystemErrors ${operation} ${table}Table, Sum of 300 s`,
          5,
          '1 of 1',
        ],
        [
          `${table}${operation}Throttles`,
          `AWS/DynamoDB ThrottledRequests ${operation} ${table}Table, Sum of 300 s`,
          5,
          '1 of 1',
        ],
      ]),
    ]);
    for (const [, properties] of alarms) {
      expect(properties).toMatchObject({
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
      });
    }
  });

  test('are on metrics of the stage', () => {
    const [stage] = Object.keys(resourcesOf(template, 'AWS::ApiGateway::Stage'));
    const text = JSON.stringify(Object.fromEntries(alarms));
    expect(text.match(/\{"Name":"Stage","Value":(\{[^}]*\}|"[^"]*")/g)?.length).toBe(5);
    expect(new Set(text.match(/(?<="Name":"Stage","Value":)(\{[^}]*\}|"[^"]*")/g))).toEqual(
      new Set([`{"Ref":"${stage}"}`, `"${stageName}"`]),
    );
  });

  test('count as throttled what the access log says of it', () => {
    const only = (type: string) => Object.values(resourcesOf(template, type)).at(0)?.Properties ?? {};
    const { Format, DestinationArn } = only('AWS::ApiGateway::Stage').AccessLogSetting as Record<string, unknown>;
    const filter = only('AWS::Logs::MetricFilter');
    const { Ref: log } = filter.LogGroupName as { Ref: string };
    expect(filter).toMatchObject({
      FilterPattern: '{ $.responseType = "THROTTLED" }',
      MetricTransformations: [
        {
          MetricNamespace: `PetstoreInventory/${stageName}`,
          MetricName: 'Throttled',
          MetricValue: '1',
          DefaultValue: 0,
        },
      ],
    });
    expect(JSON.stringify(DestinationArn)).toContain(`{"Ref":"${log}"}`);
    expect(JSON.parse(String(Format)).responseType).toBe('$context.error.responseType');
  });

  test('have each a section in the runbook, and a description that names it', () => {
    const runbook = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
    const sections = [...runbook.matchAll(/^### (.+)$/gm)].flatMap(([, title = '']) => title.split(', '));
    expect(sections.sort()).toEqual(alarms.map(([id]) => id).sort());
    for (const [id, properties] of alarms) {
      expect((properties as { AlarmDescription: string }).AlarmDescription).toMatch(
        new RegExp(`[^.]\\. See ${id} in docs/runbook\\.md\\.$`),
      );
    }
  });
});
