import { describe, expect, test } from '@jest/globals';
import { type Json, stackOf } from '../../support/stack/synthesized.ts';

/**
 * Describes the value that is compared with the threshold or, with its id, a metric from which it
 * is computed.
 */
const metricText = ({
  Id,
  Expression,
  ReturnData = true,
  MetricStat: { Metric, Stat, Period } = {},
}: Json): string => {
  const dimensions =
    Metric?.Dimensions?.map(({ Name, Value }: Json) => ` ${Name}=${Value}`).join('') ?? '';
  const text =
    Expression ?? `${Metric.Namespace} ${Metric.MetricName}${dimensions}, ${Stat} of ${Period} s`;
  return ReturnData ? text : `${Id}: ${text}`;
};

const row = ([id, alarm]: [string, Json]) => {
  const { Threshold, EvaluationPeriods: n, DatapointsToAlarm: m = n, Period } = alarm;
  const MetricStat = { Metric: alarm, Stat: alarm.Statistic ?? alarm.ExtendedStatistic, Period };
  const metrics = alarm.Metrics ?? [{ MetricStat }];
  return [id.replace('Alarms', ''), ...metrics.map(metricText), Threshold, `${m} of ${n}`];
};

describe.each(['staging', 'prod'])('the alarms of %s', (stageName) => {
  const { of, all } = stackOf(stageName);
  const alarms = Object.entries(of('AWS::CloudWatch::Alarm'));

  test('have these metrics, thresholds and numbers of periods', () => {
    const stage = `Stage=<ApiDeploymentStage${stageName}>`;
    const ofApi = (metric: string) =>
      `AWS/ApiGateway ${metric} ApiName=petstore-inventory-${stageName} ${stage}`;
    const ofRoute = (route: string) => ofApi('Latency').replace('Stage=', `${route} Stage=`);
    // A single error or fault of a new version counts, even if its metrics arrive late.
    const ofVersion = (name: string, periods: string) => [
      `${stageName}petstoreinventory${name}LiveNewVersionFails`,
      'FILL(errors, 0) + FILL(faults, 0)',
      `errors: AWS/Lambda Errors ExecutedVersion=<${name}CurrentVersion.Version> FunctionName=<${name}> ` +
        `Resource=<${name}>:live, Sum of 60 s`,
      `faults: PetstoreInventory Faults FunctionName=<${name}> FunctionVersion=<${name}CurrentVersion.Version>, Sum of 60 s`,
      1,
      periods,
    ];
    const ofFunction = (
      name: string,
      errorPeriods: string,
      almost: number,
      durationPeriods: string,
    ) => [
      [`${name}Errors`, `AWS/Lambda Errors FunctionName=<${name}>, Sum of 60 s`, 1, errorPeriods],
      [
        `${name}Throttles`,
        `AWS/Lambda Throttles FunctionName=<${name}>, Sum of 300 s`,
        1,
        '1 of 1',
      ],
      [
        `${name}Duration`,
        `AWS/Lambda Duration FunctionName=<${name}>, Maximum of 60 s`,
        almost,
        durationPeriods,
      ],
    ];
    const ofTable = (name: string, operation: string) =>
      Object.entries({ SystemErrors: 'SystemErrors', Throttles: 'ThrottledRequests' }).map(
        ([id, metric]) => {
          const dimensions = `Operation=${operation} TableName=<${name}Table>`;
          const events = `events: AWS/DynamoDB ${metric} ${dimensions}, Sum of 300 s`;
          return [name + operation + id, 'FILL(events, 0)', events, 5, '1 of 2'];
        },
      );
    expect(alarms.map(row)).toEqual([
      ofVersion('Authorizer', '1 of 5'),
      ofVersion('ListInventory', '1 of 6'),
      ofVersion('UpdateInventory', '1 of 5'),
      [
        'ServerErrors',
        '100 * errors / IF(requests > 300, requests, 300)',
        `errors: ${ofApi('5XXError')}, Sum of 300 s`,
        `requests: ${ofApi('Count')}, Sum of 300 s`,
        1,
        '1 of 1',
      ],
      ['Faults', `PetstoreInventory Faults Stage=${stageName}, Sum of 60 s`, 1, '1 of 5'],
      ['Throttling', `PetstoreInventory/${stageName} Throttled, Sum of 60 s`, 60, '3 of 5'],
      [
        'UpdateLatency',
        `${ofRoute('Method=PATCH Resource=/v1/inventory/{petId}')}, p99 of 60 s`,
        1_000,
        '3 of 5',
      ],
      ...ofFunction('Authorizer', '1 of 5', 8_000, '3 of 5'),
      // The metrics of a list arrive when it ends, up to a minute later, with the time at which the
      // list began.
      ...ofFunction('ListInventory', '1 of 6', 48_000, '3 of 7'),
      ...ofFunction('UpdateInventory', '1 of 5', 8_000, '3 of 5'),
      ...ofTable('Inventory', 'Scan'),
      ...ofTable('Inventory', 'UpdateItem'),
      ...ofTable('ApiKeys', 'GetItem'),
    ]);
  });

  test('compare with their thresholds in the same way; alarms of the stage notify the topic and name their runbook section', () => {
    for (const [id, alarm] of alarms) {
      expect(alarm).toMatchObject({
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
        ...(id.startsWith('Alarms') && {
          AlarmActions: ['<AlarmsTopic>'],
          OKActions: ['<AlarmsTopic>'],
          AlarmDescription: expect.stringMatching(
            `^[^.]+\\. See ${id.replace('Alarms', '')} in docs/runbook.md.$`,
          ),
        }),
      });
    }
  });

  test('have a topic to which only CloudWatch publishes, for this account and over TLS', () => {
    const publish = { Action: 'sns:Publish', Resource: '<AlarmsTopic>' };
    const cloudWatch = { Service: 'cloudwatch.amazonaws.com' };
    const insecure = { Bool: { 'aws:SecureTransport': 'false' } };
    const ownAccount = { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } };
    const Statement = [
      {
        ...publish,
        Effect: 'Deny',
        Sid: 'AllowPublishThroughSSLOnly',
        Principal: '*',
        Condition: insecure,
      },
      {
        ...publish,
        Effect: 'Allow',
        Sid: 'AllowAlarms',
        Principal: cloudWatch,
        Condition: ownAccount,
      },
    ];
    const PolicyDocument = { Version: '2012-10-17', Statement };
    expect(all('AWS::SNS::TopicPolicy')).toEqual([{ Topics: ['<AlarmsTopic>'], PolicyDocument }]);
  });

  test('count the requests that the access log calls throttled', () => {
    const metric = { MetricNamespace: `PetstoreInventory/${stageName}`, MetricName: 'Throttled' };
    expect(all('AWS::Logs::MetricFilter')).toEqual([
      {
        LogGroupName: '<ApiAccessLog>',
        FilterPattern: '{ $.responseType = "THROTTLED" }',
        MetricTransformations: [{ ...metric, MetricValue: '1', DefaultValue: 0 }],
      },
    ]);
  });
});
