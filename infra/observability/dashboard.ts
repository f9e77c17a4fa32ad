import { Aws, Duration } from 'aws-cdk-lib';
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
import type { Firewall } from '../api/firewall.ts';
import type { Alarms, AlarmsProps } from './alarms.ts';
import { newestFailures } from './log-queries.ts';
import { stageMetric } from './stage-metric.ts';

export interface DashboardProps extends Omit<AlarmsProps, 'email'> {
  alarms: Alarms;
  queryNames: string[];
}

const period = Duration.minutes(1);
const sum = { period, statistic: Stats.SUM };

const graph = (title: string, left: IMetric[], unit?: string): GraphWidget =>
  new GraphWidget({
    title,
    left,
    width: 8,
    height: 6,
    leftYAxis: { min: 0, ...(unit && { label: unit, showUnits: false }) },
  });

const percentiles = (title: string, metric: (options: { label: string; statistic: string }) => IMetric): GraphWidget =>
  graph(
    title,
    ['p50', 'p90', 'p99'].map((statistic) => metric({ statistic, label: statistic })),
    'ms',
  );

const capacity = (name: string, table: TableV2): IMetric[] => [
  table.metricConsumedReadCapacityUnits({ ...sum, label: `${name} read` }),
  table.metricConsumedWriteCapacityUnits({ ...sum, label: `${name} write` }),
];

const throttled = (table: TableV2, Operation: string): IMetric =>
  table.metric('ThrottledRequests', {
    ...sum,
    dimensionsMap: { TableName: table.tableName, Operation },
    label: Operation,
  });

const blocked = ({ metricNames: { webAcl: WebACL, rules } }: Firewall): IMetric[] =>
  rules.map(
    (Rule) =>
      new Metric({
        namespace: 'AWS/WAFV2',
        metricName: 'BlockedRequests',
        dimensionsMap: { Region: Aws.REGION, WebACL, Rule },
        ...sum,
        label: `firewall: ${Rule}`,
      }),
  );

/** Of a stage. From the top: errors, latency, and what is near its limits. */
export class Dashboard extends CloudWatchDashboard {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    const { api, functions, tables, stageName, alarms, queryNames } = props;
    super(scope, id, { defaultInterval: Duration.hours(3) });
    const { deploymentStage: stage, listInventory, updateInventory, firewall } = api;
    const lambdas = Object.entries(functions);
    const counts = (...names: Parameters<typeof stageMetric>[1][]) =>
      names.map((name) => stageMetric(stageName, name, { ...sum, label: name }));

    this.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: alarms.all, width: 24, height: 4 }));
    this.addWidgets(
      graph('Requests per minute', [
        listInventory.metricCount(stage, { ...sum, label: 'listInventory' }),
        updateInventory.metricCount(stage, { ...sum, label: 'updateInventory' }),
      ]),
      graph('API errors', [
        stage.metricClientError({ ...sum, label: '4xx' }),
        stage.metricServerError({ ...sum, label: '5xx', color: '#d62728' }),
        alarms.throttled.metric({ ...sum, label: '429: stage limits' }),
        ...(firewall ? blocked(firewall) : []),
      ]),
      graph('Operations', counts('Lists', 'Updates', 'NotFound', 'Faults')),
    );
    this.addWidgets(
      percentiles('updateInventory latency', (options) => updateInventory.metricLatency(stage, { period, ...options })),
      percentiles('listInventory latency', (options) => listInventory.metricLatency(stage, { period, ...options })),
      percentiles('Authorizer duration', (options) => functions.Authorizer.metricDuration({ period, ...options })),
    );
    this.addWidgets(
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
        lambdas.map(([name, lambda]) =>
          lambda.metric('ConcurrentExecutions', { period, statistic: Stats.MAXIMUM, label: name }),
        ),
      ),
    );
    this.addWidgets(
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
        stageMetric(stageName, 'EntriesListed', { period, statistic: Stats.MAXIMUM, label: 'largest' }),
        stageMetric(stageName, 'EntriesListed', { period, statistic: Stats.AVERAGE, label: 'average' }),
      ]),
    );
    this.addWidgets(
      new LogQueryWidget({
        title: 'Newest failures',
        width: 16,
        height: 6,
        logGroupNames: lambdas.map(([, lambda]) => lambda.logGroup.logGroupName),
        queryLines: [...newestFailures, 'limit 20'],
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
