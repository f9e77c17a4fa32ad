import { Lazy, Names, Stack } from 'aws-cdk-lib';
import { type Alarm, type CfnAlarm, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  Alias,
  type CfnVersion,
  type IVersion,
  type Function as LambdaFunction,
  type Version,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';
import { sumOver } from '../observability/metrics.ts';
import { repository } from '../settings/stages.ts';

interface LiveAliasProps {
  lambda: LambdaFunction;
  /** Whether the function streams its responses. */
  streams: boolean;
}

/**
 * The minutes over which an alarm looks for a failure. A metric is up to three minutes late.
 */
const watchedMinutes = 5;

/**
 * A function's `live` alias, which API Gateway invokes, and the alarms of the version to which
 * addDeployments() shifts its traffic.
 */
export class LiveAlias extends Alias {
  /**
   * They look at the new version only, so that the old one can neither stop the deployment nor hide
   * its failures.
   */
  readonly newVersionAlarms: Alarm[];

  constructor(scope: Construct, id: string, { lambda, streams }: LiveAliasProps) {
    const version = lambda.currentVersion;
    super(scope, id, { aliasName: 'live', version: version as IVersion });

    const faults = this.#faults(lambda, version);
    this.newVersionAlarms = [this.#addAlarm({ id: 'NewVersionFaults', metric: faults, version })];
    // Of a function that streams, Lambda also counts each response that nobody reads as an error: a
    // few clients that have gone would roll back a good release.
    if (!streams) {
      const errors = this.#errors(lambda, version);
      this.newVersionAlarms.push(
        this.#addAlarm({ id: 'NewVersionErrors', metric: errors, version }),
      );
    }
  }

  /**
   * Counts 5xx responses and lists that are cut off, except those for which log-fault.ts finds
   * DynamoDB to blame.
   */
  #faults({ functionName: FunctionName }: LambdaFunction, version: Version): Metric {
    return new Metric({
      namespace: metricNamespace,
      metricName: 'Faults',
      dimensionsMap: { FunctionName, FunctionVersion: version.version },
      ...sumOver(1),
    });
  }

  /** Counts thrown errors and timeouts. */
  #errors(lambda: LambdaFunction, version: Version): Metric {
    const FunctionName = lambda.functionName;
    const Resource = `${FunctionName}:${this.aliasName}`;
    return lambda.metricErrors({
      dimensionsMap: { FunctionName, Resource, ExecutedVersion: version.version },
      ...sumOver(1),
    });
  }

  #addAlarm({ id, metric, version }: { id: string; metric: Metric; version: Version }): Alarm {
    const alarm = metric.createAlarm(this, id, {
      alarmDescription:
        'A new version sends some clients 5xx responses or lists that are cut off. Its ' +
        `deployment is rolled back. See ${repository}docs/deploy.md#when-a-deployment-fails`,
      threshold: 1,
      evaluationPeriods: watchedMinutes,
      datapointsToAlarm: 1,
      // A metric that was never published counts as OK, too.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    // Each version has its own alarms, because the last one's may still be in ALARM and would stop
    // the fix's deployment.
    const { logicalId: versionId } = version.node.defaultChild as CfnVersion;
    const produce = () => `${Names.uniqueId(alarm)}${Stack.of(this).resolve(versionId).slice(-8)}`;
    (alarm.node.defaultChild as CfnAlarm).overrideLogicalId(Lazy.uncachedString({ produce }));
    return alarm;
  }
}
