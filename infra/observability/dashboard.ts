import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  LogQueryWidget,
  Metric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';
import type { Alarms, AlarmsProps } from './alarms.ts';

export interface DashboardProps extends Omit<AlarmsProps, 'email'> {
  stageName: string;
  alarms: Alarms;
  queryNames: string[];
}

const period = Duration.minutes(1);
const sum = { period, statistic: Stats.SUM };

/** Of a stage: from the top, are clients served, how fast, and what limits. */
export class Dashboard extends CloudWatchDashboard {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    const { api, functions, tables, stageName, alarms, queryNames } = props;
    super(scope, id, { defaultInterval: Duration.hours(3) });
    const { deploymentStage: stage, listInventory, updateInventory } = api;

    const graph = (title: string, left: IMetric[], options: { label?: string; stacked?: boolean } = {}) =>
      new GraphWidget({
        title,
        left,
        width: 8,
        height: 6,
        leftYAxis: { min: 0, ...(options.label && { label: options.label, showUnits: false }) },
        stacked: options.stacked ?? false,
      });
    const business = (metricName: string, statistic = Stats.SUM, label = metricName) =>
      new Metric({
        namespace: metricNamespace,
        metricName,
        dimensionsMap: { Stage: stageName },
        period,
        statistic,
        label,
      });
    const percentiles = (metric: (statistic: string, label: string) => IMetric) =>
      ['p50', 'p90', 'p99'].map((statistic) => metric(statistic, statistic));
    const lambdas = Object.entries(functions);

    this.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: alarms.all, width: 24, height: 4 }));
    this.addWidgets(
      graph('Requests a minute', [
        listInventory.metricCount(stage, { ...sum, label: 'listInventory' }),
        updateInventory.metricCount(stage, { ...sum, label: 'updateInventory' }),
      ]),
      graph('Refused (4xx) and failed (5xx)', [
        stage.metricClientError({ ...sum, label: '4xx' }),
        stage.metricServerError({ ...sum, label: '5xx', color: '#d62728' }),
      ]),
      graph('What was done', [business('Lists'), business('Updates'), business('NotFound'), business('Faults')]),
    );
    this.addWidgets(
      graph(
        'updateInventory, latency',
        percentiles((statistic, label) => updateInventory.metricLatency(stage, { period, statistic, label })),
        { label: 'ms' },
      ),
      graph(
        'listInventory, latency',
        percentiles((statistic, label) => listInventory.metricLatency(stage, { period, statistic, label })),
        { label: 'ms' },
      ),
      graph(
        'Authorizer, duration',
        percentiles((statistic, label) => functions.Authorizer.metricDuration({ period, statistic, label })),
        { label: 'ms' },
      ),
    );
    this.addWidgets(
      graph(
        'Function errors and throttles',
        lambdas.flatMap(([name, lambda]) => [
          lambda.metricErrors({ ...sum, label: `${name} errors` }),
          lambda.metricThrottles({ ...sum, label: `${name} throttles` }),
        ]),
      ),
      graph('Cold starts', [business('ColdStarts')]),
      graph(
        'Concurrent executions',
        lambdas.map(([name, lambda]) =>
          lambda.metric('ConcurrentExecutions', { period, statistic: Stats.MAXIMUM, label: name }),
        ),
      ),
    );
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
    this.addWidgets(
      graph('Tables, capacity units a minute', [
        ...capacity('inventory', tables.Inventory),
        ...capacity('keys', tables.ApiKeys),
      ]),
      graph('Tables, throttled requests', [
        throttled(tables.Inventory, 'Scan'),
        throttled(tables.Inventory, 'UpdateItem'),
        throttled(tables.ApiKeys, 'GetItem'),
      ]),
      graph('Entries of a list', [
        business('EntriesListed', Stats.MAXIMUM, 'largest'),
        business('EntriesListed', Stats.AVERAGE, 'average'),
      ]),
    );
    this.addWidgets(
      new LogQueryWidget({
        title: 'Newest failures',
        width: 16,
        height: 6,
        logGroupNames: lambdas.map(([, lambda]) => lambda.logGroup.logGroupName),
        queryLines: [
          'fields @timestamp, operation, requestId, status, @message',
          'filter level = "ERROR" or status >= 500',
          'sort @timestamp desc',
          'limit 20',
        ],
      }),
      new TextWidget({
        width: 8,
        height: 6,
        markdown: [
          '**Saved queries** in [Logs Insights](#logsV2:logs-insights):',
          ...queryNames.map((name) => `- \`${name}\``),
          '',
          'What to do about an alarm: docs/runbook.md.',
        ].join('\n'),
      }),
    );
  }
}
