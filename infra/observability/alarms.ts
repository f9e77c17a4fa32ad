import {
  Alarm,
  ComparisonOperator,
  type CreateAlarmOptions,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import {
  FilterPattern,
  type IFilterPattern,
  type ILogGroup,
  MetricFilter,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';
import { basePath, operations } from '../service/operations.ts';
import { repository } from '../settings/stages.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { everyMinute, stageMetric, sumOver } from './metrics.ts';
import type { StageParts } from './stage-parts.ts';

interface AlarmsProps {
  parts: StageParts;
  /** Whom the alarms notify; nobody, if it is undefined. */
  email: string | undefined;
}

type NonStreaming = Extract<(typeof operations)[number], { streams: false }>;

/** The alarms by their ids. Tests have situations for each. */
export type AlarmId =
  | 'ServerErrors'
  | 'ListFailures'
  | `Slow${NonStreaming['name']}`
  | 'RefusedClients'
  | 'NoKeyWorks';

interface AlarmProps {
  id: AlarmId;
  /** The heading of its section in docs/runbook.md. Default: its id. */
  section?: string;
  /** What clients get, and from when on. */
  symptom: string;
  metric: IMetric;
  threshold: number;
  /** It goes off when so many of the last periods are at or above the threshold. */
  breaches: number;
  ofPeriods: number;
}

/**
 * The alarms that notify a person: one for each thing that clients notice. Its cause is on the
 * dashboard or in a saved query. What a client has caused, such as a bad key or bad input, causes no
 * alarm, nor does what passes by itself: one failed request, one list that nobody reads, one slow
 * minute.
 */
export class Alarms extends Construct {
  readonly topic: AlarmTopic;
  /** Counts the requests of operations that API Gateway throttled. */
  readonly throttled: MetricFilter;
  readonly all: Alarm[] = [];
  readonly #parts: StageParts;

  constructor(scope: Construct, id: string, { parts, email }: AlarmsProps) {
    super(scope, id);
    this.#parts = parts;
    this.topic = new AlarmTopic(this, 'Topic', email);
    this.throttled = this.#count({
      id: 'Throttled',
      log: parts.api.accessLog,
      pattern: throttledOperations,
    });

    this.#addServerErrors();
    this.#addListFailures();
    this.#addSlowRequests();
    this.#addRefusedClients();
    this.#addNoKeyWorks();
  }

  /**
   * API Gateway's own count would include refused requests, of which anybody can send any number.
   * They would hide an outage.
   */
  #addServerErrors(): void {
    const failures = this.#parts.api.deploymentStage.metricServerError(sumOver(5));
    const requests = new MathExpression({
      // Where the authorizer fails, nothing reaches an operation.
      expression: 'IF(reached > failures, reached, failures)',
      usingMetrics: { reached: this.#reachedOperations(5), failures },
      period: sumOver(5).period,
    });
    this.#add({
      id: 'ServerErrors',
      symptom:
        'Clients get 5xx responses: 1% of the requests that reach an operation, ' +
        'and at least 3, in 5 minutes',
      metric: new MathExpression({
        // Of at least 300, so that a single failure at night is not 100%.
        expression: '100 * failures / IF(requests > 300, requests, 300)',
        usingMetrics: { failures, requests },
        period: sumOver(5).period,
      }),
      threshold: 1,
      breaches: 1,
      ofPeriods: 1,
    });
  }

  /**
   * ServerErrors misses a list that is cut off, because its status is 200. The function counts those
   * that it cuts off itself as faults, Lambda counts those that it ends as errors. A list that
   * nobody reads is an error, too, so a few say nothing.
   */
  #addListFailures(): void {
    const { ListInventory } = this.#parts.functions;
    const faults = this.#count({
      id: 'ListFaults',
      log: ListInventory.logGroup,
      pattern: FilterPattern.numberValue('$.Faults', '=', 1),
    });
    this.#add({
      id: 'ListFailures',
      symptom:
        'Clients get a 5xx response or a list that is cut off: ' +
        '20% of all lists, and at least 3, in 15 minutes',
      metric: new MathExpression({
        // A list that is cut off may be counted as both, so the two are not added up.
        expression: '100 * IF(faults > errors, faults, errors) / IF(lists > 15, lists, 15)',
        usingMetrics: {
          faults: faults.metric(sumOver(15)),
          // They arrive when a list ends, up to five minutes late.
          errors: ListInventory.metricErrors(sumOver(15)),
          lists: ListInventory.metricInvocations(sumOver(15)),
        },
        period: sumOver(15).period,
      }),
      threshold: 20,
      breaches: 1,
      ofPeriods: 1,
    });
  }

  /**
   * How long a list takes is its client's affair, too. The method's latency would not show it:
   * refused requests are fast, and could be many.
   */
  #addSlowRequests(): void {
    for (const { name, description } of operations.filter((each) => !each.streams)) {
      this.#add({
        id: `Slow${name}`,
        section: 'SlowRequests',
        symptom:
          `Clients wait a second or longer: 1% of all ${description}, in 3 of 5 minutes. ` +
          'Either DynamoDB is slow, or many clients update one pet',
        metric: this.#parts.functions[name].metricDuration(everyMinute('p99')),
        threshold: 1_000,
        breaches: 3,
        ofPeriods: 5,
      });
    }
  }

  #addRefusedClients(): void {
    const { firewall } = this.#parts.api;
    const throttled = this.throttled.metric(sumOver(1));
    const blocked = firewall?.metricsOfBlocked(() => sumOver(1)) ?? [];
    this.#add({
      id: 'RefusedClients',
      symptom:
        'Clients get 429 responses, from a limit of the stage or of its firewall: ' +
        '60 or more a minute, in 3 of 5 minutes',
      metric: total([throttled, ...blocked], 1),
      threshold: 60,
      breaches: 3,
      ofPeriods: 5,
    });
  }

  /**
   * A table of keys that is empty, or was restored wrongly, gives every client a 401 and no 5xx. API
   * Gateway keeps the authorizer's answer for 50 s, so a shop's only client is refused at most 18
   * times in 15 minutes, and one that asks every five minutes three times. Anybody can make up keys
   * that are well-formed, so refusals say nothing while a key works.
   */
  #addNoKeyWorks(): void {
    this.#add({
      id: 'NoKeyWorks',
      symptom:
        'Clients get nothing but 401 responses: in 15 minutes, at least 3 ' +
        'for keys that are unknown, expired or unreadable, and no key was accepted',
      metric: new MathExpression({
        expression: 'IF(reached > 0, 0, refused)',
        usingMetrics: {
          reached: this.#reachedOperations(15),
          refused: stageMetric(this.#parts.stageName, 'UnexpectedRefusals', sumOver(15)),
        },
        period: sumOver(15).period,
      }),
      threshold: 3,
      breaches: 1,
      ofPeriods: 1,
    });
  }

  /** Counts the requests that were neither refused nor throttled: their function ran. */
  #reachedOperations(minutes: number): MathExpression {
    const { functions } = this.#parts;
    const invocations = operations.map(({ name }) =>
      functions[name].metricInvocations(sumOver(minutes)),
    );
    return total(invocations, minutes);
  }

  /**
   * Counts the lines of a log that match a pattern. A default value rules out dimensions, so the
   * stage is part of the namespace.
   */
  #count({ id, log, pattern }: { id: string; log: ILogGroup; pattern: IFilterPattern }) {
    return new MetricFilter(this, id, {
      logGroup: log,
      filterPattern: pattern,
      metricNamespace: `${metricNamespace}/${this.#parts.stageName}`,
      metricName: id,
      defaultValue: 0,
    });
  }

  #add({ id, section = id, symptom, metric, threshold, ...props }: AlarmProps): void {
    const link = `${repository}docs/runbook.md#${section.toLowerCase()}`;
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: props.ofPeriods,
      datapointsToAlarm: props.breaches,
      alarmDescription: `${symptom}. See ${link}`,
      ...exceeded,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    this.all.push(alarm);
  }
}

const exceeded: Partial<CreateAlarmOptions> = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  // Without requests there are no data points, and no request has failed.
  treatMissingData: TreatMissingData.NOT_BREACHING,
};

/**
 * Adds up metrics. What nobody uses sends no zeros, and a sum with a missing value would be missing.
 */
const total = (metrics: IMetric[], minutes: number): MathExpression => {
  const named = metrics.map((metric, index) => [`m${index}`, metric] as const);
  return new MathExpression({
    expression: named.map(([id]) => `FILL(${id}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
    period: sumOver(minutes).period,
  });
};

/**
 * Matches the lines of the access log for operations that API Gateway throttled. Unknown paths and
 * methods have a limit of their own, which a scanner reaches.
 */
const throttledOperations = FilterPattern.all(
  FilterPattern.stringValue('$.responseType', '=', 'THROTTLED'),
  FilterPattern.any(
    ...operations.map(({ method, path }) =>
      FilterPattern.all(
        FilterPattern.stringValue('$.method', '=', method),
        FilterPattern.stringValue('$.resourcePath', '=', basePath + path),
      ),
    ),
  ),
);
