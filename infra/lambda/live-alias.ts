import { Duration, Lazy, Names, Stack, Validations } from 'aws-cdk-lib';
import { type Alarm, type CfnAlarm, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentGroup, type LambdaDeploymentGroupProps } from 'aws-cdk-lib/aws-codedeploy';
import {
  Alias,
  type CfnVersion,
  type IVersion,
  type Function as LambdaFunction,
  type Version,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';

export interface LiveAliasProps extends Omit<LambdaDeploymentGroupProps, 'alias' | 'alarms'> {
  lambda: LambdaFunction;
  /** Whether the function streams its responses. */
  streams: boolean;
}

const managedPolicy = 'service-role/AWSCodeDeployRoleForLambdaLimited';

const sumOfMinute = { statistic: 'Sum', period: Duration.minutes(1) };

/**
 * The minutes over which an alarm looks for a failure. A metric is up to three minutes late.
 */
const watchedMinutes = 5;

/**
 * A function's `live` alias, which API Gateway invokes. It shifts traffic to a new version, and
 * back if that fails.
 */
export class LiveAlias extends Alias {
  constructor(scope: Construct, id: string, props: LiveAliasProps) {
    const { lambda, streams, ...options } = props;
    const version = lambda.currentVersion;
    super(scope, id, { aliasName: 'live', version: version as IVersion });

    // Only the new version counts, so that the old one can neither stop the deployment nor hide its
    // failures.
    const alarms = [this.#addAlarm('NewVersionFaults', version, this.#faults(lambda, version))];
    if (!streams) {
      // Of a function that streams, Lambda also counts each response that nobody reads: a few
      // clients that have gone would roll back a good release.
      alarms.push(this.#addAlarm('NewVersionErrors', version, this.#errors(lambda, version)));
    }
    const deploymentGroup = new LambdaDeploymentGroup(this, 'Deployment', {
      ...options,
      alias: this,
      alarms,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    Validations.of(deploymentGroup).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${managedPolicy}]`,
      reason: 'AWS limits this policy to what CodeDeploy needs to shift the traffic of a function.',
    });
  }

  /** Counts 5xx responses and lists that are cut off, except those that DynamoDB throttled. */
  #faults({ functionName: FunctionName }: LambdaFunction, version: Version): Metric {
    return new Metric({
      namespace: metricNamespace,
      metricName: 'Faults',
      dimensionsMap: { FunctionName, FunctionVersion: version.version },
      ...sumOfMinute,
    });
  }

  /** Counts thrown errors and timeouts. */
  #errors(lambda: LambdaFunction, version: Version): Metric {
    const FunctionName = lambda.functionName;
    const Resource = `${FunctionName}:${this.aliasName}`;
    return lambda.metricErrors({
      dimensionsMap: { FunctionName, Resource, ExecutedVersion: version.version },
      ...sumOfMinute,
    });
  }

  #addAlarm(id: string, version: Version, metric: Metric): Alarm {
    const alarm = metric.createAlarm(this, id, {
      alarmDescription:
        'Requests fail in a new version, whose deployment is rolled back. ' +
        'See docs/failed-deployment.md.',
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
