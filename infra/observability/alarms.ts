import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';
import type { InventoryApi } from '../api/inventory-api.ts';
import type { ServiceFunction, ServiceFunctions } from '../lambda/service-function.ts';
import { metricDelay } from '../settings/time-limits.ts';
import { stageMetric } from './stage-metric.ts';

/** The parts of a stage that the alarms, the dashboard and the log queries observe. */
export interface Observed {
  stageName: string;
  api: InventoryApi;
  functions: ServiceFunctions;
  tables: Record<'Inventory' | 'ApiKeys', TableV2>;
}

const everyMinute = (statistic: string) => ({ period: Duration.minutes(1), statistic });
const sum = everyMinute('Sum');
const sumOf5Minutes = { period: Duration.minutes(5), statistic: 'Sum' };
/**
 * Turns missing data into 0, because alarms on DynamoDB's metrics ignore treatMissingData and would
 * stay in ALARM.
 */
const fill = { expression: 'FILL(events, 0)', period: sumOf5Minutes.period };

/**
 * The alarms that notify a person because requests fail, or will soon. Requests with a bad key or
 * bad input cause no alarm. docs/runbook.md has a section for each alarm.
 */
export class Alarms extends Construct {
  /** The topic that the alarms publish to. It accepts only TLS, and no alarms of other accounts. */
  readonly topic: Topic;
  readonly throttled: MetricFilter;
  readonly all: Alarm[] = [];

  constructor(scope: Construct, id: string, observed: Observed, email: string | undefined) {
    super(scope, id);
    const { stageName, api, functions, tables } = observed;
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // The policy that enforceSSL adds replaces the default one, which would let CloudWatch publish.
    const allowAlarms = new PolicyStatement({
      sid: 'AllowAlarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [this.topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    });
    this.topic.addToResourcePolicy(allowAlarms);
    if (email) {
      this.topic.addSubscription(new EmailSubscription(email));
    }
    // API Gateway has no such metric. A default value rules out dimensions, so the stage is part of
    // the namespace.
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

  #addRequestAlarms(stageName: string, { deploymentStage: stage, operations }: InventoryApi): void {
    const errorRate = new MathExpression({
      // At least three requests must fail, however few there are: 1 % of 300.
      expression: '100 * errors / IF(requests > 300, requests, 300)',
      usingMetrics: {
        errors: stage.metricServerError(sumOf5Minutes),
        requests: stage.metricCount(sumOf5Minutes),
      },
    });
    this.#add(
      'ServerErrors',
      'At least three requests, and 1 % of all, got a 5xx response',
      errorRate,
      1,
    );

    // ServerErrors misses a list that is cut off, because its status is 200.
    const faults = stageMetric(stageName, 'Faults', sum);
    this.#add('Faults', 'A request failed, or a list was cut off', faults, 1, [1, 5]);

    const throttled = this.throttled.metric(sum);
    this.#add(
      'Throttling',
      'Requests are rejected with 429 by the limits of the stage',
      throttled,
      60,
      [3, 5],
    );

    const updates = operations.updateInventory.metricLatency(stage, everyMinute('p99'));
    this.#add(
      'UpdateLatency',
      'One in a hundred updates takes longer than a second',
      updates,
      1_000,
      [3, 5],
    );
  }

  #addFunctionAlarms(name: string, lambda: ServiceFunction): void {
    const delay = metricDelay(lambda.timeout);
    this.#add(`${name}Errors`, `${name} throws or times out`, lambda.metricErrors(sum), 1, [
      1,
      5 + delay,
    ]);

    const throttles = lambda.metricThrottles(sumOf5Minutes);
    this.#add(
      `${name}Throttles`,
      `Lambda does not run ${name}: no concurrency is left`,
      throttles,
      1,
    );

    const longest = lambda.metricDuration(everyMinute('Maximum'));
    const almost = 0.8 * lambda.timeout.toMilliseconds();
    // Runs this long are missing from the newest `delay` minutes. Twice the delay leaves 5 +
    // `delay` minutes with them.
    this.#add(`${name}Duration`, `${name} comes close to its time limit`, longest, almost, [
      3,
      5 + 2 * delay,
    ]);
  }

  #addTableAlarms(name: string, table: TableV2, operations: string[]): void {
    for (const operation of operations) {
      const options = {
        ...sumOf5Minutes,
        dimensionsMap: { TableName: table.tableName, Operation: operation },
      };
      const filled = (metric: string) => ({
        ...fill,
        usingMetrics: { events: table.metric(metric, options) },
      });
      const errors = new MathExpression(filled('SystemErrors'));
      const throttles = new MathExpression(filled('ThrottledRequests'));
      const id = name + operation;
      this.#add(
        `${id}SystemErrors`,
        `DynamoDB fails at ${operation} of the ${name} table`,
        errors,
        5,
        [1, 2],
      );
      this.#add(
        `${id}Throttles`,
        `DynamoDB throttles ${operation} of the ${name} table`,
        throttles,
        5,
        [1, 2],
      );
    }
  }

  /**
   * Adds an alarm that goes off when the metric is at or above the threshold in M of the last N
   * periods.
   */
  #add(
    id: string,
    description: string,
    metric: IMetric,
    threshold: number,
    [m, n]: [number, number] = [1, 1],
  ): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: n,
      ...(n > 1 && { datapointsToAlarm: m }),
      alarmDescription: `${description}. See ${id} in docs/runbook.md.`,
      // Without requests there are no data points, and no request has failed.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    this.all.push(alarm);
  }
}
