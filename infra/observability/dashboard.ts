import { Aws, Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Counts } from '../../functions/observability/metrics.ts';
import { type FunctionSpec, functionSpecs, operations } from '../service/operations.ts';
import { repository } from '../settings/stages.ts';
import type { Alarms, StageParts } from './alarms.ts';
import { newestFailures } from './log-queries.ts';
import { everyMinute, stageMetric } from './metrics.ts';

interface DashboardProps {
  parts: StageParts;
  alarms: Alarms;
  /** The full names of the saved queries. */
  queryNames: string[];
}

const columns = 24;

/** Returns the options of a metric that a graph calls `label`. */
const labelled = (statistic: string, label = statistic) => ({ ...everyMinute(statistic), label });
const sum = (label: string) => labelled('Sum', label);

/** Returns a graph that takes a third of a row. */
const graph = (title: string, left: cloudwatch.IMetric[], leftYAxis: cloudwatch.YAxisProps = {}) =>
  new cloudwatch.GraphWidget({
    title,
    left,
    width: columns / 3,
    height: 6,
    leftYAxis: { min: 0, ...leftYAxis },
  });

/** Returns a graph of how many milliseconds most requests take. */
const percentiles = (
  title: string,
  metric: (options: cloudwatch.MetricOptions) => cloudwatch.IMetric,
) => {
  const metrics = ['p50', 'p90', 'p99'].map((statistic) => metric(labelled(statistic)));
  return graph(title, metrics, { label: 'ms', showUnits: false });
};

/**
 * Adds the dashboard of a stage. From the top, it shows errors, latency, and what is close to its
 * limits.
 */
export const addDashboard = (stack: Stack, { parts, alarms, queryNames }: DashboardProps) =>
  new cloudwatch.Dashboard(stack, 'Dashboard', {
    // An account has one list of dashboards for all regions.
    dashboardName: `petstore-inventory-${parts.stageName}-${Aws.REGION}`,
    defaultInterval: Duration.hours(3),
    widgets: [
      [alarmStatus(alarms)],
      [
        ...graphsOfRequests(parts, alarms),
        ...graphsOfLatency(parts),
        ...graphsOfFunctions(parts),
        ...graphsOfTables(parts),
      ],
      [failures(parts), savedQueries(queryNames)],
    ],
  });

const alarmStatus = ({ all }: Alarms) =>
  new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: all, width: columns, height: 4 });

/** Whether a count tells what became of requests. Those that do not have graphs of their own. */
const isOutcome: Record<keyof Counts, boolean> = {
  Lists: true,
  Updates: true,
  NotFound: true,
  PreconditionFailed: true,
  UnexpectedRefusals: true,
  Faults: true,
  ColdStarts: false,
  EntriesListed: false,
};
const counts = Object.keys(isOutcome) as (keyof Counts)[];

const graphsOfRequests = ({ api, stageName }: StageParts, alarms: Alarms) => {
  const { deploymentStage, firewall, routes } = api;
  return [
    graph(
      'Requests per minute',
      operations.map(({ operationId }) =>
        routes[operationId].metricCount(deploymentStage, sum(operationId)),
      ),
    ),
    graph('API errors', [
      deploymentStage.metricClientError(sum('4xx')),
      deploymentStage.metricServerError({ ...sum('5xx'), color: '#d62728' }),
      alarms.throttled.metric(sum('429: limits of the stage')),
      ...(firewall?.metricsOfBlocked(sum) ?? []),
    ]),
    graph(
      'Outcomes',
      counts
        .filter((name) => isOutcome[name])
        .map((name) => stageMetric(stageName, name, sum(name))),
    ),
  ];
};

const graphsOfLatency = ({ api, functions }: StageParts) => [
  ...operations.map(({ operationId }) =>
    percentiles(`${operationId} latency`, (options) =>
      api.routes[operationId].metricLatency(api.deploymentStage, options),
    ),
  ),
  percentiles('Authorizer duration', (options) => functions.Authorizer.metricDuration(options)),
];

const graphsOfFunctions = ({ functions, stageName }: StageParts) => {
  const byName = Object.entries(functions);
  return [
    graph(
      'Function errors and throttles',
      byName.flatMap(([name, lambda]) => [
        lambda.metricErrors(sum(`${name} errors`)),
        lambda.metricThrottles(sum(`${name} throttles`)),
      ]),
    ),
    graph('Cold starts', [stageMetric(stageName, 'ColdStarts', sum('ColdStarts'))]),
    graph('Concurrent executions', [
      ...byName.map(([name, lambda]) =>
        lambda.metric('ConcurrentExecutions', labelled('Maximum', name)),
      ),
      // Every function of the account shares one quota.
      LambdaFunction.metricAllConcurrentExecutions(labelled('Maximum', 'all of the account')),
    ]),
  ];
};

const graphsOfTables = ({ tables, stageName }: StageParts) => {
  const { Inventory, ApiKeys } = tables;
  const entriesListed = (statistic: string, label: string) =>
    stageMetric(stageName, 'EntriesListed', labelled(statistic, label));
  return [
    graph('Table capacity units per minute', [
      Inventory.metricConsumedReadCapacityUnits(sum('inventory read')),
      Inventory.metricConsumedWriteCapacityUnits(sum('inventory write')),
      ApiKeys.metricConsumedReadCapacityUnits(sum('keys read')),
      ApiKeys.metricConsumedWriteCapacityUnits(sum('keys write')),
    ]),
    graph('Throttled table requests', [
      ...functionSpecs.flatMap((each) => throttledTableRequests(tables, each)),
      // Transactions, and writes, that met a transaction of the same entry. They wait their turn.
      Inventory.metric('TransactionConflict', sum('Inventory TransactionConflict')),
    ]),
    graph('Entries per list', [
      entriesListed('Maximum', 'largest'),
      entriesListed('Average', 'average'),
    ]),
  ];
};

/** Returns how often DynamoDB throttled each call that a function makes. */
const throttledTableRequests = (
  tables: StageParts['tables'],
  { table, calls }: FunctionSpec,
): cloudwatch.IMetric[] =>
  calls.map((Operation) =>
    tables[table].metric('ThrottledRequests', {
      ...sum(`${table} ${Operation}`),
      dimensionsMap: { TableName: tables[table].tableName, Operation },
    }),
  );

const failures = ({ functions }: StageParts) =>
  new cloudwatch.LogQueryWidget({
    title: 'Newest failures',
    width: (columns * 2) / 3,
    height: 6,
    logGroupNames: Object.values(functions).map(({ logGroup }) => logGroup.logGroupName),
    queryString: newestFailures,
  });

const savedQueries = (names: string[]) => {
  const lines = [
    '**Saved queries** in [Logs Insights](#logsV2:logs-insights):',
    ...names.map((name) => `- \`${name}\``),
    '',
    `What to do about an alarm: ${repository}docs/runbook.md.`,
  ];
  return new cloudwatch.TextWidget({
    width: columns / 3,
    height: 6,
    markdown: lines.join('\n'),
  });
};
