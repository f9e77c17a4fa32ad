import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { functionSpecs, operations, tablesOf } from '../service/operations.ts';
import { repository } from '../settings/stages.ts';
import type { Alarms } from './alarms.ts';
import { newestFailures } from './log-queries.ts';
import { everyMinute, stageMetric } from './metrics.ts';
import { dashboardNameOf, type StageParts } from './stage-parts.ts';

interface DashboardProps {
  parts: StageParts;
  alarms: Alarms;
  /** The full names of the saved queries. */
  queryNames: string[];
}

/**
 * Adds the dashboard of a stage. From the top, it shows errors, latency, and what is close to its
 * limits.
 */
export const addDashboard = (stack: Stack, { parts, alarms, queryNames }: DashboardProps) =>
  new cloudwatch.Dashboard(stack, 'Dashboard', {
    dashboardName: dashboardNameOf(parts.stageName),
    defaultInterval: Duration.hours(3),
    widgets: [
      [alarmStatus(alarms)],
      [...graphsOfApi(parts, alarms), ...graphsOfFunctions(parts), ...graphsOfTables(parts)].map(
        graph,
      ),
      [failures(parts), savedQueries(queryNames)],
    ],
  });

const columns = 24;

interface Graph {
  title: string;
  metrics: cloudwatch.IMetric[];
  axis?: cloudwatch.YAxisProps;
}

/** Returns a graph that takes a third of a row. */
const graph = ({ title, metrics: left, axis }: Graph) =>
  new cloudwatch.GraphWidget({
    title,
    left,
    width: columns / 3,
    height: 6,
    leftYAxis: { min: 0, ...axis },
  });

/** Returns the options of a metric that a graph calls `label`. */
const labelled = (statistic: string, label = statistic) => ({ ...everyMinute(statistic), label });
const sum = (label: string) => labelled('Sum', label);

const graphsOfApi = ({ api }: StageParts, alarms: Alarms): Graph[] => {
  const { deploymentStage: stage, firewall, routes } = api;
  return [
    {
      title: 'Requests per minute',
      metrics: operations.map(({ operationId: id }) => routes[id].metricCount(stage, sum(id))),
    },
    {
      title: 'API errors',
      metrics: [
        stage.metricClientError(sum('4xx')),
        stage.metricServerError({ ...sum('5xx'), color: '#d62728' }),
        alarms.throttled.metric(sum('429: limits of the stage')),
        ...(firewall?.metricsOfBlocked(sum) ?? []),
      ],
    },
    ...operations.map(({ operationId: id }) => ({
      title: `${id} latency`,
      metrics: ['p50', 'p90', 'p99'].map((p) => routes[id].metricLatency(stage, labelled(p))),
      axis: { label: 'ms', showUnits: false },
    })),
  ];
};

const graphsOfFunctions = ({ functions }: StageParts): Graph[] => {
  const byName = Object.entries(functions);
  return [
    {
      title: 'Function errors and throttles',
      metrics: byName.flatMap(([name, lambda]) => [
        lambda.metricErrors(sum(`${name} errors`)),
        lambda.metricThrottles(sum(`${name} throttles`)),
      ]),
    },
    {
      title: 'Concurrent executions',
      metrics: [
        ...byName.map(([name, lambda]) =>
          lambda.metric('ConcurrentExecutions', labelled('Maximum', name)),
        ),
        // Every function of the account shares one quota.
        LambdaFunction.metricAllConcurrentExecutions(labelled('Maximum', 'all of the account')),
      ],
    },
  ];
};

const graphsOfTables = ({ tables, stageName }: StageParts): Graph[] => {
  const throttled = functionSpecs.flatMap(tablesOf).flatMap(([name, { calls }]) =>
    calls.map((Operation) =>
      tables[name].metric('ThrottledRequests', {
        ...sum(`${name} ${Operation}`),
        dimensionsMap: { TableName: tables[name].tableName, Operation },
      }),
    ),
  );
  return [
    {
      title: 'Throttled table requests',
      metrics: [
        ...throttled,
        // Transactions, and writes, that met a transaction of the same entry. They wait their turn.
        tables.Inventory.metric('TransactionConflict', sum('Inventory TransactionConflict')),
      ],
    },
    {
      title: 'Entries per list',
      metrics: [
        stageMetric(stageName, 'EntriesListed', labelled('Maximum', 'largest')),
        stageMetric(stageName, 'EntriesListed', labelled('Average', 'average')),
      ],
    },
  ];
};

const alarmStatus = ({ all }: Alarms) =>
  new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: all, width: columns, height: 4 });

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
