import { expect, test } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { stageOf } from '../../support/stack/in-process.ts';
import { prod } from '../../support/stack/stages.ts';
import type { Json } from '../../support/stack/template.ts';
import {
  type DocumentedOperation,
  documentedOperations,
  functionNames,
  isList,
} from '../service/documented-operations.ts';
import { tableActionsOf } from '../service/grants.ts';
import { watchedBy } from './metric-text.ts';

const email = 'operator@example.com';
const stack = stageOf({ ...prod, alarmEmail: email });
const { byName, all, stackName } = stack;
const alarms = byName('AWS::CloudWatch::Alarm');
const notifies = (name: string) => name.startsWith('Alarms');
const notifying = Object.entries(alarms).filter(([name]) => notifies(name));
const ofVersions = Object.entries(alarms).filter(([name]) => !notifies(name));

const stage = 'ApiName=petstore-inventory-test Stage=<ApiDeploymentStagetest>';
const ofApi = (metric: string) => `AWS/ApiGateway ${metric} ${stage}`;
const ofFunction = (name: string, metric: string) => `AWS/Lambda ${metric} FunctionName=<${name}>`;
const latencyOf = ({ method, path }: DocumentedOperation) =>
  ofApi('Latency').replace('Stage=', `Method=${method} Resource=/v1${path} Stage=`);

/** An alarm that watches one metric, which goes off at the threshold in `breaches` periods. */
interface Row {
  id: string;
  expression?: string;
  metrics: Record<string, string>;
  threshold: number;
  breaches: number;
  ofPeriods: number;
}

const ofStage: Row[] = [
  {
    id: 'ServerErrors',
    expression: '100 * failures / IF(requests > 300, requests, 300)',
    metrics: {
      failures: `${ofApi('5XXError')}, Sum of 300 s`,
      requests: `${ofApi('Count')}, Sum of 300 s`,
    },
    threshold: 1,
    breaches: 1,
    ofPeriods: 1,
  },
  {
    id: 'Faults',
    metrics: { value: 'PetstoreInventory Faults Stage=test, Sum of 60 s' },
    threshold: 1,
    breaches: 3,
    ofPeriods: 15,
  },
  {
    id: 'Throttling',
    metrics: { value: 'PetstoreInventory/test Throttled, Sum of 60 s' },
    threshold: 60,
    breaches: 3,
    ofPeriods: 5,
  },
];

/** The alarms of a function that streams nothing. */
const ofFunctionRows = (name: string): Row[] => [
  {
    id: `${name}Errors`,
    metrics: { value: `${ofFunction(name, 'Errors')}, Sum of 60 s` },
    threshold: 1,
    breaches: 3,
    ofPeriods: 5,
  },
  {
    id: `${name}Duration`,
    metrics: { value: `${ofFunction(name, 'Duration')}, Maximum of 60 s` },
    threshold: 8_000,
    breaches: 3,
    ofPeriods: 5,
  },
];

const ofList = ({ functionName: name }: DocumentedOperation): Row[] => [
  {
    id: `${name}Errors`,
    expression: '100 * failures / IF(requests > 15, requests, 15)',
    metrics: {
      failures: `${ofFunction(name, 'Errors')}, Sum of 300 s`,
      requests: `${ofFunction(name, 'Invocations')}, Sum of 300 s`,
    },
    threshold: 20,
    breaches: 1,
    // The metrics of a list arrive when it ends, up to a minute later, with the time at which it
    // began.
    ofPeriods: 2,
  },
  {
    id: `${name}Duration`,
    metrics: { value: `${ofFunction(name, 'Duration')}, p50 of 60 s` },
    threshold: 48_000,
    breaches: 3,
    ofPeriods: 7,
  },
];

const ofRequest = (operation: DocumentedOperation): Row[] => [
  ...ofFunctionRows(operation.functionName),
  {
    id: `${operation.functionName}Latency`,
    metrics: { value: `${latencyOf(operation)}, p99 of 60 s` },
    threshold: 1_000,
    breaches: 3,
    ofPeriods: 5,
  },
];

const throttlesOf = (name: string): Row => ({
  id: `${name}Throttles`,
  metrics: { value: `${ofFunction(name, 'Throttles')}, Sum of 300 s` },
  threshold: 10,
  breaches: 1,
  ofPeriods: 1,
});

const throttlesOfTable = ({ table, action }: { table: string; action: string }): Row => {
  const metric = `AWS/DynamoDB ThrottledRequests Operation=${action} TableName=<${table}Table>`;
  return {
    id: `${table}${action}Throttles`,
    expression: 'FILL(events, 0)',
    metrics: { events: `${metric}, Sum of 300 s` },
    threshold: 10,
    breaches: 1,
    ofPeriods: 2,
  };
};

const rows: Row[] = [
  ...ofStage,
  ...ofFunctionRows('Authorizer'),
  ...documentedOperations.flatMap((each) => (each.lists ? ofList(each) : ofRequest(each))),
  ...functionNames.map(throttlesOf),
  ...tableActionsOf(stack).map(throttlesOfTable),
];

const always = {
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  TreatMissingData: 'notBreaching',
};

test.each(rows)('$id watches its metric from its threshold on', (row) => {
  const { id, expression = 'value', metrics, threshold, breaches, ofPeriods } = row;
  const alarm = alarms[`Alarms${id}`];
  expect(watchedBy(alarm)).toEqual({ expression, metrics });
  expect(alarm).toMatchObject({
    ...always,
    Threshold: threshold,
    DatapointsToAlarm: breaches,
    EvaluationPeriods: ofPeriods,
  });
});

test('the alarms of lists that may take five minutes look back for longer', () => {
  const list = { ...prod.list, timeout: Duration.minutes(5) };
  const ofLists = stageOf({ ...prod, list }).byName('AWS::CloudWatch::Alarm');
  expect(ofLists.AlarmsListInventoryDuration).toMatchObject({
    Threshold: 240_000,
    DatapointsToAlarm: 3,
    EvaluationPeriods: 15,
  });
  expect(ofLists.AlarmsListInventoryErrors).toMatchObject({ EvaluationPeriods: 2 });
});

test('a stage has these alarms and no others', () => {
  expect(notifying.map(([name]) => name).sort()).toEqual(
    rows.map(({ id }) => `Alarms${id}`).sort(),
  );
});

// CloudFormation names an alarm by the stack and its logical id, which the subject of the e-mail
// then begins with. A fixed name would collide when an alarm is replaced.
test('the name of each alarm begins with the stage and says what it is about', () => {
  const names = notifying.map(([name]) => `${stackName}-${name}`);
  expect(names).toContain('test-petstore-inventory-AlarmsServerErrors');
  for (const name of names) {
    expect(name).toMatch(/^test-petstore-inventory-Alarms[A-Z]\w+$/);
  }
  expect(Object.values<Json>(alarms).filter(({ AlarmName }) => AlarmName)).toEqual([]);
});

test.each(notifying)('%s says what users notice and names its runbook section', (name, alarm) => {
  const operationIds = documentedOperations.map(({ operationId }) => operationId);
  const effect = `(${['Requests', 'Lists', 'Clients', ...operationIds].join('|')}) .+`;
  const section = `See ${name.replace('Alarms', '')} in docs/runbook\\.md\\.`;
  expect(alarm.AlarmDescription).toMatch(new RegExp(`^${effect}\\. ${section}$`));
});

test.each(notifying)('%s notifies the topic when it starts and when it ends', (_name, alarm) => {
  expect(alarm).toMatchObject({ AlarmActions: ['<AlarmsTopic>'], OKActions: ['<AlarmsTopic>'] });
});

const versionOf = (name: string) => `<${name}CurrentVersion.Version>`;

const notOfLists = functionNames.filter((name) => !isList(name));

/** The alarms of a new version, which do not notify but roll its deployment back. */
const versionAlarms = [
  ...functionNames.map((name) => ({
    id: `testpetstoreinventory${name}LiveNewVersionFaults`,
    metric:
      `PetstoreInventory Faults FunctionName=<${name}> ` +
      `FunctionVersion=${versionOf(name)}, Sum of 60 s`,
  })),
  // Not of lists: those that nobody reads are Errors, too.
  ...notOfLists.map((name) => ({
    id: `testpetstoreinventory${name}LiveNewVersionErrors`,
    metric:
      `AWS/Lambda Errors ExecutedVersion=${versionOf(name)} FunctionName=<${name}> ` +
      `Resource=<${name}>:live, Sum of 60 s`,
  })),
];

test.each(versionAlarms)('$id goes off at one failure of the new version', ({ id, metric }) => {
  expect(watchedBy(alarms[id])).toEqual({ expression: 'value', metrics: { value: metric } });
  expect(alarms[id]).toMatchObject({
    ...always,
    Threshold: 1,
    DatapointsToAlarm: 1,
    EvaluationPeriods: 5,
    AlarmDescription: expect.stringMatching(
      /^Requests fail in a new version.+ See docs\/failed-deployment\.md\.$/,
    ),
  });
  expect(alarms[id]).not.toHaveProperty('AlarmActions');
});

test('no other alarm rolls a deployment back', () => {
  const ids = versionAlarms.map(({ id }) => id);
  expect(ofVersions.map(([name]) => name).sort()).toEqual(ids.sort());
});

test('the topic accepts only CloudWatch, for this account and over TLS', () => {
  const publish = { Action: 'sns:Publish', Resource: '<AlarmsTopic>' };
  const Statement = [
    {
      ...publish,
      Effect: 'Deny',
      Sid: 'AllowPublishThroughSSLOnly',
      Principal: '*',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
    {
      ...publish,
      Effect: 'Allow',
      Sid: 'AllowAlarms',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
    },
  ];
  const PolicyDocument = { Version: '2012-10-17', Statement };
  expect(all('AWS::SNS::TopicPolicy')).toEqual([{ Topics: ['<AlarmsTopic>'], PolicyDocument }]);
});

test('the topic notifies the address of the settings', () => {
  const subscription = { Protocol: 'email', TopicArn: '<AlarmsTopic>', Endpoint: email };
  expect(all('AWS::SNS::Subscription')).toEqual([subscription]);
});

test.each([{ alarmEmail: undefined }, { alarmEmail: '' }])(
  'the topic notifies nobody if alarmEmail is $alarmEmail',
  ({ alarmEmail }) => {
    const settings = { ...prod, ...(alarmEmail !== undefined && { alarmEmail }) };
    expect(stageOf(settings).all('AWS::SNS::Subscription')).toEqual([]);
  },
);

test('Throttled counts the requests that the access log calls throttled', () => {
  const metric = { MetricNamespace: 'PetstoreInventory/test', MetricName: 'Throttled' };
  expect(all('AWS::Logs::MetricFilter')).toEqual([
    {
      LogGroupName: '<ApiAccessLog>',
      FilterPattern: '{ $.responseType = "THROTTLED" }',
      MetricTransformations: [{ ...metric, MetricValue: '1', DefaultValue: 0 }],
    },
  ]);
});
