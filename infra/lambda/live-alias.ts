import { Duration, Lazy, Names, Stack, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  type CfnAlarm,
  ComparisonOperator,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaApplication,
  type ILambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Alias, type CfnVersion, type IVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../functions/observability/metrics.ts';

export interface LiveAliasProps {
  lambda: LambdaFunction;
  application: ILambdaApplication;
  deploymentConfig: ILambdaDeploymentConfig;
}

/** The `live` alias of a function: what API Gateway invokes. Traffic shifts to a new version, and back when that fails. */
export class LiveAlias extends Alias {
  constructor(scope: Construct, id: string, { lambda, application, deploymentConfig }: LiveAliasProps) {
    const version = lambda.currentVersion;
    super(scope, id, { aliasName: 'live', version: version as IVersion });

    const ofVersion = (namespace: string, metricName: string, dimensions: Record<string, string>) =>
      new Metric({
        namespace,
        metricName,
        dimensionsMap: { FunctionName: lambda.functionName, ...dimensions },
        statistic: 'Sum',
        period: Duration.minutes(1),
      });
    const alarm = new Alarm(this, 'NewVersionFails', {
      alarmDescription: `A new version of ${id} fails; the deployment is rolled back.`,
      // Of this version alone: what the old one does can neither stop the deployment nor hide in it.
      metric: new MathExpression({
        expression: 'FILL(errors, 0) + FILL(faults, 0)',
        usingMetrics: {
          // Thrown, or out of time.
          errors: ofVersion('AWS/Lambda', 'Errors', {
            Resource: `${lambda.functionName}:${this.aliasName}`,
            ExecutedVersion: version.version,
          }),
          // Answered with a 5xx.
          faults: ofVersion(metricNamespace, 'Faults', { FunctionVersion: version.version }),
        },
        period: Duration.minutes(1),
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    // An alarm of its own for every version: one that still rings for the last would stop the deployment of the fix.
    const alarmResource = alarm.node.defaultChild as CfnAlarm;
    const versionResource = version.node.defaultChild as CfnVersion;
    alarmResource.overrideLogicalId(
      Lazy.uncachedString({
        produce: () => `${Names.uniqueId(alarm)}${Stack.of(this).resolve(versionResource.logicalId).slice(-8)}`,
      }),
    );

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
