import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Alarms, Observed } from './alarms.ts';
import { newestFailures } from './log-queries.ts';
import { stageMetric } from './stage-metric.ts';

export interface DashboardProps extends Observed {
  alarms: Alarms;
  queryNames: string[];
}

const minute = { period: Duration.minutes(1) };
const sum = { ...minute, statistic: 'Sum' };
const maximum = { ...minute, statistic: 'Maximum' };

/** Three of these make a row. */
const graph = (title: string, left: cloudwatch.IMetric[], leftYAxis: cloudwatch.YAxisProps = {}) =>
  new cloudwatch.GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0, ...leftYAxis } });

const percentiles = (title: string, metric: (options: cloudwatch.MetricOptions) => cloudwatch.IMetric) => {
  const metrics = ['p50', 'p90', 'p99'].map((statistic) => metric({ ...minute, statistic, label: statistic }));
  return graph(title, metrics, { label: 'ms', showUnits: false });
};

const capacity = (name: string, table: TableV2) => [
  table.metricConsumedReadCapacityUnits({ ...sum, label: `${name} read` }),
  table.metricConsumedWriteCapacityUnits({ ...sum, label: `${name} write` }),
];

const throttled = (table: TableV2, Operation: string) =>
  table.metric('ThrottledRequests', {
    ...sum,
    dimensionsMap: { TableName: table.tableName, Operation },
    label: Operation,
  });

/** Of a stage. From the top: errors, latency, and what is near its limits. */
export class Dashboard extends cloudwatch.Dashboard {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    const { api, functions, tables, stageName, alarms, queryNames } = props;
    super(scope, id, { defaultInterval: Duration.hours(3) });
    const { deploymentStage: stage, listInventory, updateInventory, firewall } = api;
    const lambdas = Object.entries(functions);
    const counts = (...names: Parameters<typeof stageMetric>[1][]) =>
      names.map((name) => stageMetric(stageName, name, { ...sum, label: name }));

    this.addWidgets(new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: alarms.all, width: 24, height: 4 }));
    this.addWidgets(
      graph('Requests per minute', [
        listInventory.metricCount(stage, { ...sum, label: 'listInventory' }),
        updateInventory.metricCount(stage, { ...sum, label: 'updateInventory' }),
      ]),
      graph('API errors', [
        stage.metricClientError({ ...sum, label: '4xx' }),
        stage.metricServerError({ ...sum, label: '5xx', color: '#d62728' }),
        alarms.throttled.metric({ ...sum, label: '429: limits of the stage' }),
        ...(firewall?.metricsOfBlocked(sum) ?? []),
      ]),
      graph('Operations', counts('Lists', 'Updates', 'NotFound', 'Faults')),
      percentiles('updateInventory latency', (options) => updateInventory.metricLatency(stage, options)),
      percentiles('listInventory latency', (options) => listInventory.metricLatency(stage, options)),
      percentiles('Authorizer duration', (options) => functions.Authorizer.metricDuration(options)),
      graph(
        'Function errors and throttles',
        lambdas.flatMap(([name, lambda]) => [
          lambda.metricErrors({ ...sum, label: `${name} errors` }),
          lambda.metricThrottles({ ...sum, label: `${name} throttles` }),
        ]),
      ),
      graph('Cold starts', counts('ColdStarts')),
      graph(
        'Concurrent executions',
        lambdas.map(([label, lambda]) => lambda.metric('ConcurrentExecutions', { ...maximum, label })),
      ),
      graph('Table capacity units per minute', [
        ...capacity('inventory', tables.Inventory),
        ...capacity('keys', tables.ApiKeys),
      ]),
      graph('Throttled table requests', [
        throttled(tables.Inventory, 'Scan'),
        throttled(tables.Inventory, 'UpdateItem'),
        throttled(tables.ApiKeys, 'GetItem'),
      ]),
      graph('Entries per list', [
        stageMetric(stageName, 'EntriesListed', { ...maximum, label: 'largest' }),
        stageMetric(stageName, 'EntriesListed', { ...minute, statistic: 'Average', label: 'average' }),
      ]),
    );
    const savedQueries = ['**Saved queries** in [Logs Insights](#logsV2:logs-insights):'];
    savedQueries.push(...queryNames.map((name) => `- \`${name}\``), '', 'What to do about an alarm: docs/runbook.md.');
    this.addWidgets(
      new cloudwatch.LogQueryWidget({
        title: 'Newest failures',
        width: 16,
        height: 6,
        logGroupNames: lambdas.map(([, lambda]) => lambda.logGroup.logGroupName),
        queryString: newestFailures,
      }),
      new cloudwatch.TextWidget({ width: 8, height: 6, markdown: savedQueries.join('\n') }),
    );
  }
}
