import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { logicalId, resourcesOf, templates } from '../../support/synthesized.ts';

describe.each(['staging', 'prod'])('the alarms of %s', (stageName) => {
  const template = templates[stageName] ?? { Resources: {}, Outputs: {} };
  const id = (type: string, constructId: string) => logicalId(template, type, constructId);
  const [stage = ''] = Object.keys(resourcesOf(template, 'AWS::ApiGateway::Stage'));
  const { Name: apiName } = template.Resources[id('AWS::ApiGateway::RestApi', 'Api')]?.Properties ?? {};
  const topic = id('AWS::SNS::Topic', 'AlarmsTopic');

  const dimensions = (values: Record<string, unknown>) =>
    Object.entries(values).map(([Name, Value]) => ({ Name, Value }));
  const ofStage = { ApiName: apiName, Stage: { Ref: stage } };
  const rule = (Threshold: number, EvaluationPeriods = 1, DatapointsToAlarm?: number) => ({
    Threshold,
    EvaluationPeriods,
    ...(DatapointsToAlarm && { DatapointsToAlarm }),
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
    AlarmActions: [{ Ref: topic }],
    OKActions: [{ Ref: topic }],
  });
  const latency = (Method: string, Resource: string) => ({
    Namespace: 'AWS/ApiGateway',
    MetricName: 'Latency',
    Dimensions: dimensions({ ApiName: apiName, Method, Resource, Stage: { Ref: stage } }),
    ExtendedStatistic: 'p99',
    Period: 60,
  });
  const count = (Namespace: string, MetricName: string, values: Record<string, unknown>) => ({
    Namespace,
    MetricName,
    Dimensions: dimensions(values),
    Statistic: 'Sum',
    Period: 300,
  });
  const apiCount = (Id: string, MetricName: string) => ({
    Id,
    MetricStat: {
      Metric: { Namespace: 'AWS/ApiGateway', MetricName, Dimensions: dimensions(ofStage) },
      Stat: 'Sum',
      Period: 300,
    },
    ReturnData: false,
  });
  const ofFunction = (name: string, seconds: number) => {
    const FunctionName = { Ref: id('AWS::Lambda::Function', name) };
    return {
      [`${name}Errors`]: { ...count('AWS/Lambda', 'Errors', { FunctionName }), ...rule(1) },
      [`${name}Throttles`]: { ...count('AWS/Lambda', 'Throttles', { FunctionName }), ...rule(1) },
      [`${name}Duration`]: {
        ...count('AWS/Lambda', 'Duration', { FunctionName }),
        Statistic: 'Maximum',
        Period: 60,
        ...rule(seconds * 800, 5, 3),
      },
    };
  };
  const ofTable = (name: string, Operation: string) => {
    const TableName = { Ref: id('AWS::DynamoDB::GlobalTable', `${name}Table`) };
    return {
      [`${name}${Operation}SystemErrors`]: {
        ...count('AWS/DynamoDB', 'SystemErrors', { Operation, TableName }),
        ...rule(5),
      },
      [`${name}${Operation}Throttles`]: {
        ...count('AWS/DynamoDB', 'ThrottledRequests', { Operation, TableName }),
        ...rule(5),
      },
    };
  };

  const timeout = (name: string) => template.Resources[id('AWS::Lambda::Function', name)]?.Properties.Timeout as number;
  const expected: Record<string, object> = {
    ServerErrors: {
      Metrics: [
        { Id: 'expr_1', Expression: '100 * errors / IF(requests > 100, requests, 100)', ReturnData: true },
        apiCount('errors', '5XXError'),
        apiCount('requests', 'Count'),
      ],
      ...rule(1),
    },
    UpdateLatency: { ...latency('PATCH', '/v1/inventory/{petId}'), ...rule(1_000, 5, 3) },
    ListLatency: { ...latency('GET', '/v1/inventory'), ...rule(60_000, 5, 3) },
    ...ofFunction('Authorizer', timeout('Authorizer')),
    ...ofFunction('ListInventory', timeout('ListInventory')),
    ...ofFunction('UpdateInventory', timeout('UpdateInventory')),
    ...ofTable('Inventory', 'Scan'),
    ...ofTable('Inventory', 'UpdateItem'),
    ...ofTable('ApiKeys', 'GetItem'),
  };

  test('are these, on metrics of resources of the stack', () => {
    const alarms = Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm'))
      .filter(([alarmId]) => alarmId.startsWith('Alarms'))
      .map(([alarmId, { Properties }]) => {
        const { AlarmDescription, ...properties } = Properties;
        return [alarmId.replace(/^Alarms|[0-9A-F]{8}$/g, ''), properties];
      });
    expect(Object.fromEntries(alarms)).toEqual(expected);
  });

  test('have each a section in the runbook', () => {
    const runbook = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
    const sections = [...runbook.matchAll(/^### (.+)$/gm)].flatMap(([, title = '']) => title.split(', '));
    expect(Object.keys(expected).filter((name) => !sections.includes(name))).toEqual([]);
  });

  test('tell the topic, which only takes TLS', () => {
    const policies = Object.values(resourcesOf(template, 'AWS::SNS::TopicPolicy')).map(({ Properties }) => Properties);
    expect(policies).toHaveLength(1);
    expect(policies).toMatchObject([
      {
        Topics: [{ Ref: topic }],
        PolicyDocument: {
          Statement: expect.arrayContaining([
            expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          ]),
        },
      },
    ]);
  });
});
