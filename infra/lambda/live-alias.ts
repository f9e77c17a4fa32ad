import { Duration, Lazy, Names, Stack, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentGroup, type LambdaDeploymentGroupProps } from 'aws-cdk-lib/aws-codedeploy';
import {
  Alias,
  type CfnVersion,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';
import { metricDelay } from '../settings/time-limits.ts';

export interface LiveAliasProps extends Omit<LambdaDeploymentGroupProps, 'alias'> {
  lambda: LambdaFunction;
  timeout: Duration;
}

/**
 * A function's `live` alias, which API Gateway invokes. It shifts traffic to a new version, and
 * back if that fails.
 */
export class LiveAlias extends Alias {
  constructor(scope: Construct, id: string, { lambda, timeout, ...options }: LiveAliasProps) {
    const version = lambda.currentVersion;
    super(scope, id, { aliasName: 'live', version: version as IVersion });

    const [FunctionName, ExecutedVersion] = [lambda.functionName, version.version];
    const Resource = `${FunctionName}:${this.aliasName}`;
    const sum = { statistic: 'Sum', period: Duration.minutes(1) };
    // Only the new version counts, so that the old one can neither stop the deployment nor hide its
    // failures.
    const failures = new cloudwatch.MathExpression({
      expression: 'FILL(errors, 0) + FILL(faults, 0)',
      usingMetrics: {
        // Thrown errors and timeouts.
        errors: lambda.metricErrors({
          dimensionsMap: { FunctionName, Resource, ExecutedVersion },
          ...sum,
        }),
        // 5xx responses, and lists that are cut off.
        faults: new cloudwatch.Metric({
          namespace: metricNamespace,
          metricName: 'Faults',
          dimensionsMap: { FunctionName, FunctionVersion: ExecutedVersion },
          ...sum,
        }),
      },
      period: sum.period,
    });
    const alarm = failures.createAlarm(this, 'NewVersionFails', {
      alarmDescription: `A new version of ${id} fails; the deployment is rolled back.`,
      threshold: 1,
      // FILL turns a late metric into a 0, so the alarm must look back over more minutes than a
      // metric may be late.
      evaluationPeriods: 5 + metricDelay(timeout),
      datapointsToAlarm: 1,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    // Each version has its own alarm, because the last one's may still be in ALARM and would stop
    // the fix's deployment.
    const { logicalId: versionId } = version.node.defaultChild as CfnVersion;
    const produce = () => `${Names.uniqueId(alarm)}${Stack.of(this).resolve(versionId).slice(-8)}`;
    (alarm.node.defaultChild as cloudwatch.CfnAlarm).overrideLogicalId(
      Lazy.uncachedString({ produce }),
    );

    const deploymentGroup = new LambdaDeploymentGroup(this, 'Deployment', {
      ...options,
      alias: this,
      alarms: [alarm],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    Validations.of(deploymentGroup).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'AWS limits this policy to what CodeDeploy needs to shift the traffic of a function.',
    });
  }
}
