import { Duration } from 'aws-cdk-lib';
import {
  ComparisonOperator,
  type CreateAlarmOptions,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricFilter } from 'aws-cdk-lib/aws-logs';
import { operations } from '../service/operations.ts';
import { everyMinute, stageMetric, sumOver } from './metrics.ts';
import type { StageParts } from './stage-parts.ts';

type NonStreaming = Extract<(typeof operations)[number], { streams: false }>;

/** The alarms by their ids. Tests have situations for each. */
export type AlarmId =
  | 'ServerErrors'
  | 'ListFailures'
  | `Slow${NonStreaming['name']}`
  | 'RefusedClients'
  | 'NoKeyWorks'
  | 'CertificateExpires';

/** An alarm, and its e-mail: what clients get, from when on, and what to do first. */
export interface AlarmRow {
  id: AlarmId;
  symptom: string;
  firstStep: string;
  metric: IMetric;
  threshold: number;
  /** Default: at or above the threshold. */
  rings?: Partial<CreateAlarmOptions>;
  /** It goes off when it would in so many of the last periods. Default: in the last one. */
  breaches?: number;
  ofPeriods?: number;
}

export const atOrAbove: Partial<CreateAlarmOptions> = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  // Without requests there are no data points, and no request has failed.
  treatMissingData: TreatMissingData.NOT_BREACHING,
};

/** An alarm of a metric that ends when it is too late stays what it is. */
const below: Partial<CreateAlarmOptions> = {
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.IGNORE,
};

const undo = 'If it began with a deployment, undo that';

interface Watched {
  parts: StageParts;
  /** Counts of log lines. They have values, zeros too, whenever their log has lines. */
  throttled: MetricFilter;
  listFaults: MetricFilter;
  /** The certificate of the stage's own domain name, if it has one. */
  certificateArn: string | undefined;
}

/** Returns the alarms of a stage. Each has an example of what just makes it ring. */
export const alarmRows = (watched: Watched): AlarmRow[] => [
  serverErrors(watched),
  listFailures(watched),
  ...slowRequests(watched),
  refusedClients(watched),
  noKeyWorks(watched),
  ...certificateExpires(watched),
];

/**
 * 3 failures of 250 requests: 3 of 300 are 1%. So a single failure at night is not 100%. API
 * Gateway's own count would include refused requests, of which anybody can send any number. They
 * would hide an outage.
 */
const serverErrors = ({ parts }: Watched): AlarmRow => {
  const failures = parts.api.deploymentStage.metricServerError(sumOver(5));
  const requests = new MathExpression({
    // Where the authorizer fails, nothing reaches an operation.
    expression: 'IF(reached > failures, reached, failures)',
    usingMetrics: { reached: reachedOperations(parts, 5), failures },
    period: Duration.minutes(5),
  });
  return {
    id: 'ServerErrors',
    symptom:
      'Clients get 5xx responses: 1% of the requests that reach an operation, ' +
      'and at least 3, in 5 minutes',
    firstStep: `${undo}; else run the saved query server-errors`,
    metric: new MathExpression({
      expression: '100 * failures / IF(requests > 300, requests, 300)',
      usingMetrics: { failures, requests },
      period: Duration.minutes(5),
    }),
    threshold: 1,
  };
};

/**
 * 3 faults and 2 errors of 9 lists: 3 of 15 are 20%. ServerErrors misses a list that is cut off,
 * because its status is 200. The function counts those that it cuts off itself as faults, Lambda
 * counts those that it ends as errors; a list may be both. One that nobody reads is an error, too, so
 * a few say nothing.
 */
const listFailures = ({ parts: { functions }, listFaults }: Watched): AlarmRow => ({
  id: 'ListFailures',
  symptom:
    'Clients get a 5xx response or a list that is cut off: ' +
    '20% of all lists, and at least 3, in 15 minutes',
  firstStep: `${undo}; else run the saved query server-errors`,
  metric: new MathExpression({
    expression: '100 * IF(faults > errors, faults, errors) / IF(lists > 15, lists, 15)',
    usingMetrics: {
      faults: listFaults.metric(sumOver(15)),
      // They arrive when a list ends, up to five minutes late.
      errors: functions.ListInventory.metricErrors(sumOver(15)),
      lists: functions.ListInventory.metricInvocations(sumOver(15)),
    },
    period: Duration.minutes(15),
  }),
  threshold: 20,
});

/**
 * Three minutes of five in which every hundredth request takes 1,000 ms. How long a list takes is
 * its client's affair, too. The method's latency would not show it: refused requests are fast, and
 * could be many.
 */
const slowRequests = ({ parts: { functions } }: Watched): AlarmRow[] =>
  operations
    .filter((each) => !each.streams)
    .map(({ name, description }) => ({
      id: `Slow${name}`,
      symptom:
        `Clients wait a second or longer: 1% of all ${description}, in 3 of 5 minutes. ` +
        'Either DynamoDB is slow, or many clients update one pet',
      firstStep: `${undo}; else run the saved query slow-requests`,
      metric: functions[name].metricDuration(everyMinute('p99')),
      threshold: 1_000,
      breaches: 3,
      ofPeriods: 5,
    }));

/** Three minutes of five in which the stage throttles 20 requests, and the firewall blocks 40. */
const refusedClients = ({ parts: { api }, throttled }: Watched): AlarmRow => {
  const blocked = api.firewall?.metricsOfBlocked(() => sumOver(1)) ?? [];
  return {
    id: 'RefusedClients',
    symptom:
      'Clients get 429 responses, from a limit of the stage or of its firewall: ' +
      '60 or more a minute, in 3 of 5 minutes',
    firstStep: `${undo}; else run the saved query requests-by-client`,
    metric: total([throttled.metric(sumOver(1)), ...blocked], 1),
    threshold: 60,
    breaches: 3,
    ofPeriods: 5,
  };
};

/**
 * A single client that asks every five minutes, and is refused three times in 15. (API Gateway keeps
 * the answer for 50 s.) A table of keys that is empty, or was restored wrongly, gives every client a
 * 401 and no 5xx. Anybody can make up keys that are well-formed, so refusals say nothing while a key
 * works.
 */
const noKeyWorks = ({ parts }: Watched): AlarmRow => ({
  id: 'NoKeyWorks',
  symptom:
    'Clients get nothing but 401 responses: in 15 minutes, at least 3 ' +
    'for keys that are unknown, expired or unreadable, and no key was accepted',
  firstStep: `${undo}; else list the keys`,
  metric: new MathExpression({
    expression: 'IF(reached > 0, 0, refused)',
    usingMetrics: {
      reached: reachedOperations(parts, 15),
      refused: stageMetric(parts.stageName, 'UnexpectedRefusals', sumOver(15)),
    },
    period: Duration.minutes(15),
  }),
  threshold: 3,
});

/**
 * 29 days: AWS renews a certificate 45 to 60 days before it expires, if it still can. Of one that has
 * expired, it publishes nothing more.
 */
const certificateExpires = ({ certificateArn: CertificateArn }: Watched): AlarmRow[] =>
  CertificateArn === undefined
    ? []
    : [
        {
          id: 'CertificateExpires',
          symptom: 'Soon no client can connect: the certificate expires in less than 30 days',
          firstStep:
            'See in AWS Certificate Manager whether the CNAME record that validates it is gone',
          metric: new Metric({
            namespace: 'AWS/CertificateManager',
            metricName: 'DaysToExpiry',
            dimensionsMap: { CertificateArn },
            period: Duration.days(1),
            statistic: 'Minimum',
          }),
          threshold: 30,
          rings: below,
        },
      ];

/** Counts the requests that were neither refused nor throttled: their function ran. */
const reachedOperations = ({ functions }: StageParts, minutes: number): MathExpression =>
  total(
    operations.map(({ name }) => functions[name].metricInvocations(sumOver(minutes))),
    minutes,
  );

/**
 * Adds up metrics. What nobody uses sends no zeros, and a sum with a missing value would be missing.
 */
const total = (metrics: IMetric[], minutes: number): MathExpression => {
  const named = metrics.map((metric, index) => [`m${index}`, metric] as const);
  return new MathExpression({
    expression: named.map(([id]) => `FILL(${id}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
    period: Duration.minutes(minutes),
  });
};
