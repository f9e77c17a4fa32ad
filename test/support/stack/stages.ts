import { RemovalPolicy } from 'aws-cdk-lib';
import { LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { ApplicationLogLevel } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';

const throttling = { rateLimit: 2_000, burstLimit: 4_000 };
const ofList = { rateLimit: 50, burstLimit: 100 };

// The settings that infra/app.ts is delivered with. Tests use this copy, so that an operator's
// changes fail no test.
export const staging: StageSettings = {
  tables: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    pointInTimeRecovery: false,
  },
  deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE,
  throttling,
  list: { deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE, throttling: ofList },
  logRetention: RetentionDays.ONE_WEEK,
  logLevel: ApplicationLogLevel.DEBUG,
};

const ceiling = { read: 40_000, write: 4_000 };
export const prod: StageSettings = {
  tables: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    pointInTimeRecovery: true,
    ceiling,
  },
  deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
  throttling,
  list: { deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES, throttling: ofList },
  firewall: { withoutKeyLimit: 500, listLimit: 600, limit: 60_000 },
  logRetention: RetentionDays.THREE_MONTHS,
  logLevel: ApplicationLogLevel.INFO,
};
