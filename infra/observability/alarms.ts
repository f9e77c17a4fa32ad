import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { InventoryApi } from '../api/inventory-api.ts';
import type { ServiceFunction } from '../lambda/service-function.ts';

export interface AlarmsProps {
  api: InventoryApi;
  functions: { [name in 'Authorizer' | 'ListInventory' | 'UpdateInventory']: ServiceFunction };
  tables: { [name in 'Inventory' | 'ApiKeys']: TableV2 };
  email: string | undefined;
}

const period = Duration.minutes(5);
const everyMinute = { period: Duration.minutes(1) };

/**
 * What pages a person: the service failing its clients, or about to. Nothing that a client can bring about with bad
 * input is among it. docs/runbook.md has a section for each.
 */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: Alarm[] = [];

  constructor(scope: Construct, id: string, { api, functions, tables, email }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    if (email) {
      this.topic.addSubscription(new EmailSubscription(email));
    }
    const { deploymentStage: stage } = api;

    this.#alarm('ServerErrors', 'More than 1 % of the requests, and more than a few, are answered 5xx', {
      metric: new MathExpression({
        // Below 100 requests, one failure is not a rate yet.
        expression: '100 * errors / IF(requests > 100, requests, 100)',
        usingMetrics: {
          errors: stage.metricServerError({ period, statistic: 'Sum' }),
          requests: stage.metricCount({ period, statistic: 'Sum' }),
        },
        period,
      }),
      threshold: 1,
      evaluationPeriods: 1,
    });
    this.#alarm('UpdateLatency', 'One in a hundred updates takes longer than a second', {
      metric: api.updateInventory.metricLatency(stage, { ...everyMinute, statistic: 'p99' }),
      threshold: 1_000,
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
    });
    this.#alarm('ListLatency', 'One in a hundred lists takes longer than a minute', {
      metric: api.listInventory.metricLatency(stage, { ...everyMinute, statistic: 'p99' }),
      threshold: 60_000,
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
    });

    for (const [name, lambda] of Object.entries(functions)) {
      this.#alarm(`${name}Errors`, `${name} throws or runs out of time`, {
        metric: lambda.metricErrors({ period, statistic: 'Sum' }),
        threshold: 1,
        evaluationPeriods: 1,
      });
      this.#alarm(`${name}Throttles`, `${name} is not run: the account has no concurrency left`, {
        metric: lambda.metricThrottles({ period, statistic: 'Sum' }),
        threshold: 1,
        evaluationPeriods: 1,
      });
      this.#alarm(`${name}Duration`, `${name} comes near its time limit`, {
        metric: lambda.metricDuration({ ...everyMinute, statistic: 'Maximum' }),
        threshold: 0.8 * lambda.timeLimit.toMilliseconds(),
        evaluationPeriods: 5,
        datapointsToAlarm: 3,
      });
    }

    for (const [name, table, operations] of [
      ['Inventory', tables.Inventory, ['Scan', 'UpdateItem']],
      ['ApiKeys', tables.ApiKeys, ['GetItem']],
    ] as const) {
      for (const operation of operations) {
        const dimensionsMap = { TableName: table.tableName, Operation: operation };
        this.#alarm(`${name}${operation}SystemErrors`, `DynamoDB fails at ${operation} of the ${name} table`, {
          metric: table.metric('SystemErrors', { dimensionsMap, period, statistic: 'Sum' }),
          threshold: 5,
          evaluationPeriods: 1,
        });
        this.#alarm(`${name}${operation}Throttles`, `${operation} of the ${name} table is throttled`, {
          metric: table.metric('ThrottledRequests', { dimensionsMap, period, statistic: 'Sum' }),
          threshold: 5,
          evaluationPeriods: 1,
        });
      }
    }
  }

  #alarm(
    id: string,
    alarmDescription: string,
    props: Pick<AlarmProps, 'threshold' | 'evaluationPeriods' | 'datapointsToAlarm'> & { metric: IMetric },
  ): void {
    const alarm = new Alarm(this, id, {
      ...props,
      alarmDescription: `${alarmDescription}. See ${id} in docs/runbook.md.`,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // No requests, no datapoints: nobody is failed.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    this.all.push(alarm);
  }
}
