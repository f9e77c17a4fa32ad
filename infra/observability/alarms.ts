import { Aws } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import {
  FilterPattern,
  type IFilterPattern,
  type ILogGroup,
  MetricFilter,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';
import { basePath, listInventory, operations } from '../service/operations.ts';
import { repository } from '../settings/stages.ts';
import { type AlarmRow, alarmRows, atOrAbove } from './alarm-rows.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { dashboardNameOf, type StageParts } from './stage-parts.ts';

interface AlarmsProps {
  parts: StageParts;
  /** Whom the alarms notify; nobody, if it is undefined. */
  email: string | undefined;
  /** The certificate of the stage's own domain name, if it has one. */
  certificateArn: string | undefined;
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
  readonly all: Alarm[];
  readonly #stageName: string;

  constructor(scope: Construct, id: string, { parts, email, certificateArn }: AlarmsProps) {
    super(scope, id);
    this.#stageName = parts.stageName;
    this.topic = new AlarmTopic(this, 'Topic', email);
    this.throttled = this.#count({
      id: 'Throttled',
      log: parts.api.accessLog,
      pattern: throttledOperations,
    });
    const listFaults = this.#count({
      id: 'ListFaults',
      log: parts.functions.ListInventory.logGroup,
      pattern: failedLists,
    });
    const { throttled } = this;
    const rows = alarmRows({ parts, throttled, listFaults, certificateArn });
    this.all = rows.map((row) => this.#add(row));
  }

  /**
   * Counts the lines of a log that match a pattern. A default value rules out dimensions, so the
   * stage is part of the namespace.
   */
  #count({ id, log, pattern }: { id: string; log: ILogGroup; pattern: IFilterPattern }) {
    return new MetricFilter(this, id, {
      logGroup: log,
      filterPattern: pattern,
      metricNamespace: `${metricNamespace}/${this.#stageName}`,
      metricName: id,
      defaultValue: 0,
    });
  }

  #add({ id, symptom, firstStep, ...row }: AlarmRow): Alarm {
    const runbook = `${repository}docs/runbook.md`;
    const dashboard =
      `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}` +
      `#dashboards/dashboard/${dashboardNameOf(this.#stageName)}`;
    const { metric, threshold, rings = atOrAbove, breaches = 1, ofPeriods = 1 } = row;
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      ...rings,
      datapointsToAlarm: breaches,
      evaluationPeriods: ofPeriods,
      alarmDescription: `${symptom}. ${firstStep}. Then see ${runbook} and ${dashboard}`,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    return alarm;
  }
}

/** Matches the lines of lists that failed, or that the function cut off, whoever is to blame. */
const failedLists = FilterPattern.all(
  FilterPattern.stringValue('$.operation', '=', listInventory.operationId),
  FilterPattern.stringValue('$.level', '=', 'ERROR'),
);

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
