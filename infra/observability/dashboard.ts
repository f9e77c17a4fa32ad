import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarms } from './alarms.ts';
import { newestFailures } from './log-queries.ts';
import {
  authorizerOf,
  functionsOf,
  type Observed,
  operationsOf,
  shortAction,
  tableActionsOf,
} from './observed.ts';
import { stageMetric } from './stage-metric.ts';
import { everyMinute } from './statistics.ts';
import { throttledRequests } from './table-metric.ts';

export interface DashboardProps {
  observed: Observed;
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
export const addDashboard = (stack: Stack, { observed, alarms, queryNames }: DashboardProps) =>
  new cloudwatch.Dashboard(stack, 'Dashboard', {
    defaultInterval: Duration.hours(3),
    widgets: [
      [alarmStatus(alarms)],
      [
        ...graphsOfRequests(observed, alarms),
        ...graphsOfLatency(observed),
        ...graphsOfFunctions(observed),
        ...graphsOfTables(observed),
      ],
      [failures(observed), savedQueries(queryNames)],
    ],
  });

const alarmStatus = ({ all }: Alarms) =>
  new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: all, width: columns, height: 4 });

const graphsOfRequests = (observed: Observed, alarms: Alarms) => {
  const { deploymentStage, firewall } = observed.api;
  const counts = (['Lists', 'Updates', 'NotFound', 'Faults'] as const).map((name) =>
    stageMetric(observed.stageName, name, sum(name)),
  );
  return [
    graph(
      'Requests per minute',
      operationsOf(observed).map(({ operationId, route }) =>
        route.metricCount(deploymentStage, sum(operationId)),
      ),
    ),
    graph('API errors', [
      deploymentStage.metricClientError(sum('4xx')),
      deploymentStage.metricServerError({ ...sum('5xx'), color: '#d62728' }),
      alarms.throttled.metric(sum('429: limits of the stage')),
      ...(firewall?.metricsOfBlocked(sum) ?? []),
    ]),
    graph('Outcomes', counts),
  ];
};

const graphsOfLatency = (observed: Observed) => [
  ...operationsOf(observed).map(({ operationId, route }) =>
    percentiles(`${operationId} latency`, (options) =>
      route.metricLatency(observed.api.deploymentStage, options),
    ),
  ),
  percentiles('Authorizer duration', (options) =>
    authorizerOf(observed).lambda.metricDuration(options),
  ),
];

const graphsOfFunctions = (observed: Observed) => {
  const functions = functionsOf(observed);
  return [
    graph(
      'Function errors and throttles',
      functions.flatMap(({ name, lambda }) => [
        lambda.metricErrors(sum(`${name} errors`)),
        lambda.metricThrottles(sum(`${name} throttles`)),
      ]),
    ),
    graph('Cold starts', [stageMetric(observed.stageName, 'ColdStarts', sum('ColdStarts'))]),
    graph(
      'Concurrent executions',
      functions.map(({ name, lambda }) =>
        lambda.metric('ConcurrentExecutions', labelled('Maximum', name)),
      ),
    ),
  ];
};

const graphsOfTables = (observed: Observed) => {
  const { Inventory, ApiKeys } = observed.tables;
  const entriesListed = (statistic: string, label: string) =>
    stageMetric(observed.stageName, 'EntriesListed', labelled(statistic, label));
  return [
    graph('Table capacity units per minute', [
      Inventory.metricConsumedReadCapacityUnits(sum('inventory read')),
      Inventory.metricConsumedWriteCapacityUnits(sum('inventory write')),
      ApiKeys.metricConsumedReadCapacityUnits(sum('keys read')),
      ApiKeys.metricConsumedWriteCapacityUnits(sum('keys write')),
    ]),
    graph(
      'Throttled table requests',
      tableActionsOf(observed).map((each) =>
        throttledRequests(observed, each, sum(`${each.table} ${shortAction(each)}`)),
      ),
    ),
    graph('Entries per list', [
      entriesListed('Maximum', 'largest'),
      entriesListed('Average', 'average'),
    ]),
  ];
};

const failures = ({ functions }: Observed) =>
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
    'What to do about an alarm: docs/runbook.md.',
  ];
  return new cloudwatch.TextWidget({
    width: columns / 3,
    height: 6,
    markdown: lines.join('\n'),
  });
};
