import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Alarms, Observed } from './alarms.ts';
import { newestFailures } from './log-queries.ts';
import { stageMetric } from './stage-metric.ts';

const everyMinute = (statistic: string, label = statistic) => ({
  period: Duration.minutes(1),
  statistic,
  label,
});
const sum = (label: string) => everyMinute('Sum', label);

/** Returns a graph that takes a third of a row. */
const graph = (title: string, left: cloudwatch.IMetric[], leftYAxis: cloudwatch.YAxisProps = {}) =>
  new cloudwatch.GraphWidget({
    title,
    left,
    width: 8,
    height: 6,
    leftYAxis: { min: 0, ...leftYAxis },
  });

const percentiles = (
  title: string,
  metric: (options: cloudwatch.MetricOptions) => cloudwatch.IMetric,
) => {
  const metrics = ['p50', 'p90', 'p99'].map((statistic) => metric(everyMinute(statistic)));
  return graph(title, metrics, { label: 'ms', showUnits: false });
};

const throttled = (table: TableV2, Operation: string) =>
  table.metric('ThrottledRequests', {
    ...sum(Operation),
    dimensionsMap: { TableName: table.tableName, Operation },
  });

/**
 * Adds the dashboard of a stage. From the top, it shows errors, latency, and what is close to its
 * limits.
 */
export const addDashboard = (
  stack: Stack,
  observed: Observed,
  alarms: Alarms,
  queryNames: string[],
): void => {
  const { api, functions, tables, stageName } = observed;
  const { deploymentStage: stage, operations, firewall } = api;
  const lambdas = Object.entries(functions);
  const counts = (...names: Parameters<typeof stageMetric>[1][]) =>
    names.map((name) => stageMetric(stageName, name, sum(name)));

  const graphs = [
    graph(
      'Requests per minute',
      Object.entries(operations).map(([name, method]) => method.metricCount(stage, sum(name))),
    ),
    graph('API errors', [
      stage.metricClientError(sum('4xx')),
      stage.metricServerError({ ...sum('5xx'), color: '#d62728' }),
      alarms.throttled.metric(sum('429: limits of the stage')),
      ...(firewall?.metricsOfBlocked(sum) ?? []),
    ]),
    graph('Operations', counts('Lists', 'Updates', 'NotFound', 'Faults')),
    percentiles('updateInventory latency', (options) =>
      operations.updateInventory.metricLatency(stage, options),
    ),
    percentiles('listInventory latency', (options) =>
      operations.listInventory.metricLatency(stage, options),
    ),
    percentiles('Authorizer duration', (options) => functions.Authorizer.metricDuration(options)),
    graph(
      'Function errors and throttles',
      lambdas.flatMap(([name, lambda]) => [
        lambda.metricErrors(sum(`${name} errors`)),
        lambda.metricThrottles(sum(`${name} throttles`)),
      ]),
    ),
    graph('Cold starts', counts('ColdStarts')),
    graph(
      'Concurrent executions',
      lambdas.map(([name, lambda]) =>
        lambda.metric('ConcurrentExecutions', everyMinute('Maximum', name)),
      ),
    ),
    graph('Table capacity units per minute', [
      tables.Inventory.metricConsumedReadCapacityUnits(sum('inventory read')),
      tables.Inventory.metricConsumedWriteCapacityUnits(sum('inventory write')),
      tables.ApiKeys.metricConsumedReadCapacityUnits(sum('keys read')),
      tables.ApiKeys.metricConsumedWriteCapacityUnits(sum('keys write')),
    ]),
    graph('Throttled table requests', [
      throttled(tables.Inventory, 'Scan'),
      throttled(tables.Inventory, 'UpdateItem'),
      throttled(tables.ApiKeys, 'GetItem'),
    ]),
    graph('Entries per list', [
      stageMetric(stageName, 'EntriesListed', everyMinute('Maximum', 'largest')),
      stageMetric(stageName, 'EntriesListed', everyMinute('Average', 'average')),
    ]),
  ];
  const failures = new cloudwatch.LogQueryWidget({
    title: 'Newest failures',
    width: 16,
    height: 6,
    logGroupNames: lambdas.map(([, lambda]) => lambda.logGroup.logGroupName),
    queryString: newestFailures,
  });
  const savedQueries = ['**Saved queries** in [Logs Insights](#logsV2:logs-insights):'];
  savedQueries.push(
    ...queryNames.map((name) => `- \`${name}\``),
    '',
    'What to do about an alarm: docs/runbook.md.',
  );
  const queries = new cloudwatch.TextWidget({
    width: 8,
    height: 6,
    markdown: savedQueries.join('\n'),
  });
  const status = new cloudwatch.AlarmStatusWidget({
    title: 'Alarms',
    alarms: alarms.all,
    width: 24,
    height: 4,
  });
  const widgets = [[status], graphs, [failures, queries]];
  new cloudwatch.Dashboard(stack, 'Dashboard', { defaultInterval: Duration.hours(3), widgets });
};
