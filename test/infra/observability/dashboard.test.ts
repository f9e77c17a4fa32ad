import { expect, test } from '@jest/globals';
import { stageOf } from '../../support/stack/in-process.ts';
import { prod, staging } from '../../support/stack/stages.ts';
import type { Json } from '../../support/stack/template.ts';
import { documentedOperations, functionNames } from '../service/documented-operations.ts';
import { tableActionsOf } from '../service/grants.ts';
import { metricText } from './metric-text.ts';

/** Returns the dashboard of a stage. */
const dashboardOf = ({ all }: ReturnType<typeof stageOf>): Json => {
  const [{ DashboardBody }] = all('AWS::CloudWatch::Dashboard');
  return JSON.parse(DashboardBody);
};

const stack = stageOf(prod);
const { start, widgets } = dashboardOf(stack);
const widget = (title: string) =>
  widgets.find(({ properties }: Json) => properties.title === title);

/** Takes a metric of a graph apart: namespace, name, each dimension with its value, options. */
const lineOf = (metric: Json[]) => {
  const [Namespace, MetricName, ...pairs] = metric.slice(0, -1);
  const { label, stat = 'Average', period } = metric.at(-1);
  const Dimensions = [];
  for (let index = 0; index < pairs.length; index += 2) {
    Dimensions.push({ Name: pairs[index], Value: pairs[index + 1] });
  }
  const text = metricText(
    { Namespace, MetricName, Dimensions },
    { statistic: stat, seconds: period },
  );
  return `${label}: ${text}`;
};

const linesOf = (title: string, all: Json[] = widgets) =>
  all.find(({ properties }) => properties.title === title)?.properties.metrics.map(lineOf);

const stage = 'Stage=<ApiDeploymentStagetest>';
const api = 'ApiName=petstore-inventory-test';
const routes = documentedOperations.map(({ operationId, method, path }) => ({
  operationId,
  dimensions: `${api} Method=${method} Resource=/v1${path} ${stage}`,
}));
const sum = 'Sum of 60 s';
const statistics = ['p50', 'p90', 'p99'];

const graphs = [
  {
    title: 'Requests per minute',
    lines: routes.map(
      ({ operationId, dimensions }) => `${operationId}: AWS/ApiGateway Count ${dimensions}, ${sum}`,
    ),
  },
  {
    title: 'Outcomes',
    lines: ['Lists', 'Updates', 'NotFound', 'Faults'].map(
      (name) => `${name}: PetstoreInventory ${name} Stage=test, ${sum}`,
    ),
  },
  ...routes.map(({ operationId, dimensions }) => ({
    title: `${operationId} latency`,
    lines: statistics.map(
      (each) => `${each}: AWS/ApiGateway Latency ${dimensions}, ${each} of 60 s`,
    ),
  })),
  {
    title: 'Authorizer duration',
    lines: statistics.map(
      (each) => `${each}: AWS/Lambda Duration FunctionName=<Authorizer>, ${each} of 60 s`,
    ),
  },
  {
    title: 'Function errors and throttles',
    lines: functionNames.flatMap((name) => [
      `${name} errors: AWS/Lambda Errors FunctionName=<${name}>, ${sum}`,
      `${name} throttles: AWS/Lambda Throttles FunctionName=<${name}>, ${sum}`,
    ]),
  },
  {
    title: 'Cold starts',
    lines: [`ColdStarts: PetstoreInventory ColdStarts Stage=test, ${sum}`],
  },
  {
    title: 'Concurrent executions',
    lines: functionNames.map(
      (name) => `${name}: AWS/Lambda ConcurrentExecutions FunctionName=<${name}>, Maximum of 60 s`,
    ),
  },
  {
    title: 'Table capacity units per minute',
    lines: [
      `inventory read: AWS/DynamoDB ConsumedReadCapacityUnits TableName=<InventoryTable>, ${sum}`,
      `inventory write: AWS/DynamoDB ConsumedWriteCapacityUnits TableName=<InventoryTable>, ${sum}`,
      `keys read: AWS/DynamoDB ConsumedReadCapacityUnits TableName=<ApiKeysTable>, ${sum}`,
      `keys write: AWS/DynamoDB ConsumedWriteCapacityUnits TableName=<ApiKeysTable>, ${sum}`,
    ],
  },
  {
    title: 'Throttled table requests',
    lines: tableActionsOf(stack).map(
      ({ table, action }) =>
        `${table} ${action}: AWS/DynamoDB ThrottledRequests ` +
        `Operation=${action} TableName=<${table}Table>, ${sum}`,
    ),
  },
  {
    title: 'Entries per list',
    lines: [
      'largest: PetstoreInventory EntriesListed Stage=test, Maximum of 60 s',
      'average: PetstoreInventory EntriesListed Stage=test, Average of 60 s',
    ],
  },
];

test.each(graphs)('$title has a line for each of its metrics', ({ title, lines }) => {
  expect(linesOf(title).toSorted()).toEqual(lines.toSorted());
});

const apiErrors = [
  `4xx: AWS/ApiGateway 4XXError ${api} ${stage}, ${sum}`,
  `5xx: AWS/ApiGateway 5XXError ${api} ${stage}, ${sum}`,
  `429: limits of the stage: PetstoreInventory/test Throttled, ${sum}`,
];

test('API errors also has what each rule of the firewall blocks', () => {
  const [{ Rules }] = stack.all('AWS::WAFv2::WebACL');
  const blocked = Rules.map(
    ({ VisibilityConfig: { MetricName } }: Json) =>
      `firewall: ${MetricName}: AWS/WAFV2 BlockedRequests ` +
      `Region=<AWS::Region> Rule=${MetricName} WebACL=petstore-inventory-test, ${sum}`,
  );
  expect(blocked.length).toBeGreaterThan(2);
  expect(linesOf('API errors')).toEqual([...apiErrors, ...blocked]);
});

test('without a firewall, API errors has none of its rules', () => {
  expect(linesOf('API errors', dashboardOf(stageOf(staging)).widgets)).toEqual(apiErrors);
});

test('there is no other graph', () => {
  const titles = widgets
    .filter(({ type }: Json) => type === 'metric')
    .map(({ properties }: Json) => properties.title);
  expect(titles.sort()).toEqual(['API errors', ...graphs.map(({ title }) => title)].sort());
});

test('every graph begins at 0, and those of latency are in milliseconds', () => {
  const axes = widgets
    .filter(({ type }: Json) => type === 'metric')
    .map(({ properties: { title, yAxis } }: Json) => ({ title, ...yAxis.left }));
  const isTime = /latency|duration/;
  for (const { title, ...axis } of axes) {
    const unit = isTime.test(title) ? { label: 'ms', showUnits: false } : {};
    expect({ title, ...axis }).toEqual({ title, min: 0, ...unit });
  }
});

test('it shows three hours, with errors in red', () => {
  expect(start).toBe('-PT3H');
  const colours = widget('API errors').properties.metrics.map((metric: Json[]) => [
    metric.at(-1).label,
    metric.at(-1).color,
  ]);
  expect(colours.filter(([, color]: string[]) => color)).toEqual([['5xx', '#d62728']]);
});

test('at the top, it has the state of every alarm of the stage', () => {
  const ids = Object.keys(stack.byName('AWS::CloudWatch::Alarm'));
  const ofStage = ids.filter((id) => id.startsWith('Alarms')).map((id) => `<${id}.Arn>`);
  const [top] = widgets;
  expect(top).toMatchObject({ type: 'alarm', x: 0, y: 0, properties: { title: 'Alarms' } });
  expect(top.properties.alarms.toSorted()).toEqual(ofStage.sort());
});

const queries = stack.all('AWS::Logs::QueryDefinition');

test('it shows the newest failures by the saved query of the functions', () => {
  expect(widget('Newest failures').width).toBe(16);
  const { query } = widget('Newest failures').properties;
  const saved = queries.find(({ Name }) => Name.endsWith('/server-errors'));
  const sources = saved.LogGroupNames.map((name: string) => `SOURCE '${name}'`).join(' | ');
  expect(query).toBe(`${sources} | ${saved.QueryString}`);
});

test('it names the saved queries and the runbook', () => {
  const { properties } = widgets.find(({ type }: Json) => type === 'text');
  const names = queries.map(({ Name }) => `- \`${Name}\``);
  expect(properties.markdown.split('\n')).toEqual([
    '**Saved queries** in [Logs Insights](#logsV2:logs-insights):',
    ...names,
    '',
    'What to do about an alarm: docs/runbook.md.',
  ]);
});

test('no widget covers another', () => {
  const rows = Map.groupBy<number, Json>(widgets, ({ y }) => y);
  for (const row of rows.values()) {
    const places = row.map(({ x, width }) => ({ x, width }));
    const ends = places.map(({ x, width }) => x + width);
    expect(places.map(({ x }) => x)).toEqual([0, ...ends.slice(0, -1)]);
    expect(ends.at(-1)).toBeLessThanOrEqual(24);
  }
});
