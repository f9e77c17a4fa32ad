import { LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StageName } from './stage-names.ts';
import type { StageSettings } from './stage-settings.ts';

const staging: StageSettings = {
  isProtected: false,
  deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE,
  throttling: { rateLimit: 2_000, burstLimit: 4_000 },
  list: { throttling: { rateLimit: 10, burstLimit: 20 } },
  logRetention: RetentionDays.ONE_WEEK,
};

const prod: StageSettings = {
  isProtected: true,
  ceiling: { read: 40_000, write: 8_000 },
  deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  throttling: { rateLimit: 2_000, burstLimit: 4_000 },
  list: { throttling: { rateLimit: 10, burstLimit: 20 } },
  firewall: {
    perAddress: { lists: 150, all: 12_000 },
    perKey: { lists: 150, all: 30_000 },
  },
  logRetention: RetentionDays.THREE_MONTHS,
};

/**
 * Where the pages of this repository can be read, such as
 * `https://github.com/OWNER/REPOSITORY/blob/main/`. E-mails of alarms then have whole links.
 */
export const repository = '';

/** The stages of the service. */
export const stages: Record<StageName, StageSettings> = { staging, prod };
