import { App, RemovalPolicy, Stage, Validations } from 'aws-cdk-lib';
import { LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { ApplicationLogLevel } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { InventoryStack } from './inventory-stack.ts';

// Lambda reads the bundles as another user, who could not read files made under a umask such as
// 077.
process.umask(0o022);
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

new InventoryStack(new Stage(app, 'staging'), 'petstore-inventory', {
  tables: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    pointInTimeRecovery: false,
  },
  deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE,
  throttling: { rateLimit: 2_000, burstLimit: 4_000 },
  list: {
    deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE,
    throttling: { rateLimit: 50, burstLimit: 100 },
  },
  logRetention: RetentionDays.ONE_WEEK,
  logLevel: ApplicationLogLevel.DEBUG,
});

new InventoryStack(new Stage(app, 'prod'), 'petstore-inventory', {
  tables: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    pointInTimeRecovery: true,
    ceiling: { read: 40_000, write: 4_000 },
  },
  deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
  throttling: { rateLimit: 2_000, burstLimit: 4_000 },
  list: {
    deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
    throttling: { rateLimit: 50, burstLimit: 100 },
  },
  firewall: { withoutKeyLimit: 500, listLimit: 600, limit: 60_000 },
  logRetention: RetentionDays.THREE_MONTHS,
  logLevel: ApplicationLogLevel.INFO,
});
