import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';
import type { InventoryApi } from '../api/inventory-api.ts';
import type { ServiceFunction } from '../lambda/service-function.ts';
import { listTimeout, metricDelay } from '../settings/time-limits.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { stageMetric } from './stage-metric.ts';

export interface AlarmsProps {
  stageName: string;
  api: InventoryApi;
  functions: { [name in 'Authorizer' | 'ListInventory' | 'UpdateInventory']: ServiceFunction };
  tables: { [name in 'Inventory' | 'ApiKeys']: TableV2 };
  email: string | undefined;
}

const period = Duration.minutes(5);
const sum = { period, statistic: 'Sum' };
const everyMinute = { period: Duration.minutes(1) };
const sumEveryMinute = { ...everyMinute, statistic: 'Sum' };

const once = { evaluationPeriods: 1 };
const outOf = (evaluationPeriods: number, datapointsToAlarm: number) => ({ evaluationPeriods, datapointsToAlarm });

/**
 * What a person is told of: requests fail, or will soon. Requests with a bad key or bad input cause no alarm.
 * docs/runbook.md has a section for each.
 */
export class Alarms extends Construct {
  readonly topic: AlarmTopic;
  readonly throttled: MetricFilter;
  readonly all: Alarm[] = [];

  constructor(scope: Construct, id: string, { stageName, api, functions, tables, email }: AlarmsProps) {
    super(scope, id);
    this.topic = new AlarmTopic(this, 'Topic', email);
    // API Gateway has no metric for it. A default value excludes dimensions, so the stage is part of the namespace.
    this.throttled = new MetricFilter(this, 'Throttled', {
      logGroup: api.accessLog,
      filterPattern: FilterPattern.stringValue('$.responseType', '=', 'THROTTLED'),
      metricNamespace: `${metricNamespace}/${stageName}`,
      metricName: 'Throttled',
      defaultValue: 0,
    });
    this.#addRequestAlarms(stageName, api);
    for (const [name, lambda] of Object.entries(functions)) {
      this.#addFunctionAlarms(name, lambda);
    }
    this.#addTableAlarms('Inventory', tables.Inventory, ['Scan', 'UpdateItem']);
    this.#addTableAlarms('ApiKeys', tables.ApiKeys, ['GetItem']);
  }

  #addRequestAlarms(stageName: string, { deploymentStage: stage, ...api }: InventoryApi): void {
    this.#alarm('ServerErrors', 'More than 1 % of the requests, and more than a few, got a 5xx response', {
      metric: new MathExpression({
        // Below 100 requests, one failure is not a rate yet.
        expression: '100 * errors / IF(requests > 100, requests, 100)',
        usingMetrics: { errors: stage.metricServerError(sum), requests: stage.metricCount(sum) },
        period,
      }),
      threshold: 1,
      ...once,
    });
    // The status of a list that is cut off was 200.
    this.#alarm('Faults', 'A request failed, or a list was cut off', {
      metric: stageMetric(stageName, 'Faults', sumEveryMinute),
      threshold: 1,
      ...outOf(5, 1),
    });
    this.#alarm('Throttling', 'Requests are rejected with 429 because of the limits of the stage', {
      metric: this.throttled.metric(sumEveryMinute),
      threshold: 60,
      ...outOf(5, 3),
    });
    this.#alarm('UpdateLatency', 'One in a hundred updates takes longer than a second', {
      metric: api.updateInventory.metricLatency(stage, { ...everyMinute, statistic: 'p99' }),
      threshold: 1_000,
      ...outOf(5, 3),
    });
    this.#alarm('ListLatency', 'One in a hundred lists takes longer than a minute', {
      metric: api.listInventory.metricLatency(stage, { ...everyMinute, statistic: 'p99' }),
      threshold: 60_000,
      ...outOf(5 + metricDelay(listTimeout), 3),
    });
  }

  #addFunctionAlarms(name: string, lambda: ServiceFunction): void {
    const delay = metricDelay(lambda.timeLimit);
    this.#alarm(`${name}Errors`, `${name} throws or times out`, {
      metric: lambda.metricErrors(sumEveryMinute),
      threshold: 1,
      ...outOf(5 + delay, 1),
    });
    this.#alarm(`${name}Throttles`, `Lambda does not run ${name}: no concurrency is left`, {
      metric: lambda.metricThrottles(sum),
      threshold: 1,
      ...once,
    });
    this.#alarm(`${name}Duration`, `${name} comes close to its time limit`, {
      metric: lambda.metricDuration({ ...everyMinute, statistic: 'Maximum' }),
      threshold: 0.8 * lambda.timeLimit.toMilliseconds(),
      // Twice the delay: after it, as many minutes must be left as without it.
      ...outOf(5 + 2 * delay, 3),
    });
  }

  #addTableAlarms(name: string, table: TableV2, operations: string[]): void {
    for (const operation of operations) {
      const options = { ...sum, dimensionsMap: { TableName: table.tableName, Operation: operation } };
      this.#alarm(`${name}${operation}SystemErrors`, `DynamoDB fails at ${operation} of the ${name} table`, {
        metric: table.metric('SystemErrors', options),
        threshold: 5,
        ...once,
      });
      this.#alarm(`${name}${operation}Throttles`, `DynamoDB throttles ${operation} of the ${name} table`, {
        metric: table.metric('ThrottledRequests', options),
        threshold: 5,
        ...once,
      });
    }
  }

  #alarm(
    id: string,
    description: string,
    props: Pick<AlarmProps, 'metric' | 'threshold' | 'evaluationPeriods' | 'datapointsToAlarm'>,
  ): void {
    const alarm = new Alarm(this, id, {
      ...props,
      alarmDescription: `${description}. See ${id} in docs/runbook.md.`,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // No requests, no data points: no request failed.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    this.all.push(alarm);
  }
}
