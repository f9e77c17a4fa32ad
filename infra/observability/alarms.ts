import { Alarm, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';
import { metricDelay } from '../settings/time-limits.ts';
import { AlarmTopic } from './alarm-topic.ts';
import {
  authorizerOf,
  functionsOf,
  type Observed,
  type ObservedFunction,
  type ObservedOperation,
  operationsOf,
  shortAction,
  tableAction,
  tableActionsOf,
} from './observed.ts';
import { stageMetric } from './stage-metric.ts';
import { everyMinute, sumOf5Minutes, sumOfMinute } from './statistics.ts';
import { throttledRequests } from './table-metric.ts';

export interface AlarmsProps {
  observed: Observed;
  /** Whom the alarms notify; nobody, if it is undefined. */
  email: string | undefined;
}

interface AlarmProps {
  /** The heading of its section in docs/runbook.md. */
  id: string;
  /** What users notice, and from when on. */
  text: string;
  metric: IMetric;
  threshold: number;
  /** It goes off when so many of the last periods are at or above the threshold. */
  breaches: number;
  ofPeriods: number;
}

/**
 * The alarms that notify a person because requests fail, or will soon. Requests with a bad key or
 * bad input cause no alarm, nor does what passes by itself: one failed request, one list that
 * nobody reads, one slow minute. docs/runbook.md has a section for each alarm.
 */
export class Alarms extends Construct {
  readonly topic: AlarmTopic;
  readonly throttled: MetricFilter;
  readonly all: Alarm[] = [];
  readonly #observed: Observed;

  constructor(scope: Construct, id: string, { observed, email }: AlarmsProps) {
    super(scope, id);
    this.#observed = observed;
    this.topic = new AlarmTopic(this, 'Topic', email);
    this.throttled = this.#countThrottled();

    this.#addServerErrors();
    this.#addFaults();
    this.#addThrottling();
    this.#addAuthorizerAlarms(authorizerOf(observed));
    for (const operation of operationsOf(observed)) {
      this.#addOperationAlarms(operation);
    }
    for (const each of functionsOf(observed)) {
      this.#addFunctionThrottles(each);
    }
    for (const each of tableActionsOf(observed)) {
      this.#addTableThrottles(each);
    }
  }

  /**
   * API Gateway has no such metric. A default value rules out dimensions, so the stage is part of
   * the namespace.
   */
  #countThrottled(): MetricFilter {
    const { api, stageName } = this.#observed;
    return new MetricFilter(this, 'Throttled', {
      logGroup: api.accessLog,
      filterPattern: FilterPattern.stringValue('$.responseType', '=', 'THROTTLED'),
      metricNamespace: `${metricNamespace}/${stageName}`,
      metricName: 'Throttled',
      defaultValue: 0,
    });
  }

  #addServerErrors(): void {
    const { deploymentStage } = this.#observed.api;
    this.#add({
      id: 'ServerErrors',
      text: 'Requests fail: 1 % of them, and at least three, got a 5xx response',
      metric: percentage({
        failures: deploymentStage.metricServerError(sumOf5Minutes),
        requests: deploymentStage.metricCount(sumOf5Minutes),
        atLeast: 300,
      }),
      threshold: 1,
      breaches: 1,
      ofPeriods: 1,
    });
  }

  /** ServerErrors misses a list that is cut off, because its status is 200. */
  #addFaults(): void {
    this.#add({
      id: 'Faults',
      text: 'Requests fail or lists are cut off, again and again',
      metric: stageMetric(this.#observed.stageName, 'Faults', sumOfMinute),
      threshold: 1,
      breaches: 3,
      ofPeriods: 15,
    });
  }

  #addThrottling(): void {
    this.#add({
      id: 'Throttling',
      text: 'Clients get 429 responses: they reach the limits of the stage',
      metric: this.throttled.metric(sumOfMinute),
      threshold: 60,
      breaches: 3,
      ofPeriods: 5,
    });
  }

  #addOperationAlarms(operation: ObservedOperation): void {
    if (operation.lists) {
      this.#addListErrors(operation);
      this.#addListDuration(operation);
    } else {
      this.#addErrors(operation, `Requests of ${operation.operationId} fail`);
      this.#addDuration(operation, `Requests of ${operation.operationId} soon get a 504`);
      this.#addLatency(operation);
    }
  }

  #addAuthorizerAlarms(authorizer: ObservedFunction): void {
    this.#addErrors(authorizer, 'Requests with a valid key get a 500');
    this.#addDuration(authorizer, 'Requests with a valid key soon get a 500');
  }

  #addErrors({ name, lambda }: ObservedFunction, effect: string): void {
    this.#add({
      id: `${name}Errors`,
      text: `${effect}: ${name} throws or times out, in three minutes`,
      metric: lambda.metricErrors(sumOfMinute),
      threshold: 1,
      breaches: 3,
      ofPeriods: 5,
    });
  }

  /** Lambda counts a list that is not read to its end as an error, so a few say nothing. */
  #addListErrors({ name, lambda }: ObservedOperation): void {
    const periodMinutes = sumOf5Minutes.period.toMinutes();
    this.#add({
      id: `${name}Errors`,
      text: 'Lists are cut off: a fifth of them, and at least three, throw or time out',
      metric: percentage({
        failures: lambda.metricErrors(sumOf5Minutes),
        requests: lambda.metricInvocations(sumOf5Minutes),
        atLeast: 15,
      }),
      threshold: 20,
      breaches: 1,
      ofPeriods: 1 + Math.ceil(metricDelay(lambda.timeout) / periodMinutes),
    });
  }

  #addDuration({ name, lambda }: ObservedFunction, effect: string): void {
    this.#add({
      id: `${name}Duration`,
      text: `${effect}: ${name} comes close to its time limit, in three minutes`,
      metric: lambda.metricDuration(everyMinute('Maximum')),
      threshold: almost(lambda.timeout.toMilliseconds()),
      breaches: 3,
      ofPeriods: 5,
    });
  }

  /** The slowest list says more about its reader than about the service, so half of them count. */
  #addListDuration({ name, lambda }: ObservedOperation): void {
    this.#add({
      id: `${name}Duration`,
      text: 'Lists are soon cut off: half of them come close to the time limit, in three minutes',
      metric: lambda.metricDuration(everyMinute('p50')),
      threshold: almost(lambda.timeout.toMilliseconds()),
      breaches: 3,
      // Runs this long are missing from the newest `delay` minutes. Twice the delay leaves 5 +
      // `delay` minutes with them.
      ofPeriods: 5 + 2 * metricDelay(lambda.timeout),
    });
  }

  #addLatency({ name, operationId, route }: ObservedOperation): void {
    this.#add({
      id: `${name}Latency`,
      text: `${operationId} is slow: 1 % of requests take a second or more, in three minutes`,
      metric: route.metricLatency(this.#observed.api.deploymentStage, everyMinute('p99')),
      threshold: 1_000,
      breaches: 3,
      ofPeriods: 5,
    });
  }

  #addFunctionThrottles({ name, lambda }: ObservedFunction): void {
    this.#add({
      id: `${name}Throttles`,
      text: `Requests get a 500: Lambda does not run ${name}, since no concurrency is left`,
      metric: lambda.metricThrottles(sumOf5Minutes),
      threshold: 10,
      breaches: 1,
      ofPeriods: 1,
    });
  }

  #addTableThrottles(watched: ObservedFunction): void {
    const action = shortAction(watched);
    this.#add({
      id: `${tableAction(watched)}Throttles`,
      text: `Requests are slow or get a 503: DynamoDB throttles ${action} of ${watched.table}`,
      // Alarms on DynamoDB's metrics ignore treatMissingData and would stay in ALARM.
      metric: new MathExpression({
        expression: 'FILL(events, 0)',
        usingMetrics: { events: throttledRequests(this.#observed, watched, sumOf5Minutes) },
        period: sumOf5Minutes.period,
      }),
      threshold: 10,
      breaches: 1,
      // With FILL, a metric that is late is 0 at first.
      ofPeriods: 2,
    });
  }

  #add({ id, text, metric, threshold, breaches, ofPeriods }: AlarmProps): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: ofPeriods,
      datapointsToAlarm: breaches,
      alarmDescription: `${text}. See ${id} in docs/runbook.md.`,
      // Without requests there are no data points, and no request has failed.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    this.all.push(alarm);
  }
}

/**
 * Returns the failures in percent of all requests, or of `atLeast` requests if there are fewer, so
 * that a single failure at night is not 100 %.
 */
const percentage = (props: {
  failures: IMetric;
  requests: IMetric;
  atLeast: number;
}): MathExpression => {
  const { failures, requests, atLeast } = props;
  return new MathExpression({
    expression: `100 * failures / IF(requests > ${atLeast}, requests, ${atLeast})`,
    usingMetrics: { failures, requests },
    period: sumOf5Minutes.period,
  });
};

const almost = (timeLimit: number): number => 0.8 * timeLimit;
