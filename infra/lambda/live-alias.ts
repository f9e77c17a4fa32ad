import { Duration, Lazy, Names, Stack, Validations } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaApplication,
  type ILambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Alias, type CfnVersion, type IVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';
import { metricDelay } from '../settings/time-limits.ts';

export interface LiveAliasProps {
  lambda: LambdaFunction;
  timeLimit: Duration;
  application: ILambdaApplication;
  deploymentConfig: ILambdaDeploymentConfig;
}

/** The `live` alias of a function: what API Gateway invokes. Traffic shifts to a new version, and back when that fails. */
export class LiveAlias extends Alias {
  constructor(scope: Construct, id: string, { lambda, timeLimit, application, deploymentConfig }: LiveAliasProps) {
    const version = lambda.currentVersion;
    super(scope, id, { aliasName: 'live', version: version as IVersion });

    const sum = { statistic: 'Sum', period: Duration.minutes(1) };
    const ofVersion = (namespace: string, metricName: string, dimensions: Record<string, string>) => {
      const dimensionsMap = { FunctionName: lambda.functionName, ...dimensions };
      return new cloudwatch.Metric({ namespace, metricName, dimensionsMap, ...sum });
    };
    const alarm = new cloudwatch.Alarm(this, 'NewVersionFails', {
      alarmDescription: `A new version of ${id} fails; the deployment is rolled back.`,
      // Of this version alone: the old one can neither stop the deployment nor hide its failures.
      metric: new cloudwatch.MathExpression({
        expression: 'FILL(errors, 0) + FILL(faults, 0)',
        usingMetrics: {
          // Thrown errors and time-outs.
          errors: ofVersion('AWS/Lambda', 'Errors', {
            Resource: `${lambda.functionName}:${this.aliasName}`,
            ExecutedVersion: version.version,
          }),
          // 5xx responses, and lists that are cut off.
          faults: ofVersion(metricNamespace, 'Faults', { FunctionVersion: version.version }),
        },
        period: sum.period,
      }),
      threshold: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // More minutes than a metric may be late. FILL has a value for each of them, so a single one would say that all is well.
      evaluationPeriods: 5 + metricDelay(timeLimit),
      datapointsToAlarm: 1,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    // Each version has its own alarm: the last one's may still be in ALARM, and would stop the deployment of the fix.
    const { logicalId: versionId } = version.node.defaultChild as CfnVersion;
    const produce = () => `${Names.uniqueId(alarm)}${Stack.of(this).resolve(versionId).slice(-8)}`;
    (alarm.node.defaultChild as cloudwatch.CfnAlarm).overrideLogicalId(Lazy.uncachedString({ produce }));

    const deploymentGroup = new LambdaDeploymentGroup(this, 'Deployment', {
      application,
      alias: this,
      deploymentConfig,
      alarms: [alarm],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    Validations.of(deploymentGroup).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'AWS keeps this policy to what CodeDeploy needs to shift the traffic of a function.',
    });
  }
}
