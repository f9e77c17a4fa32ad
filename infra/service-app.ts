import { App, type AppProps, CfnOutput, Stage, Validations } from 'aws-cdk-lib';
import { LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { AwsSolutionsChecks } from 'cdk-nag';
import { InventoryStack } from './inventory-stack.ts';
import type { StageSettings } from './settings/stage-settings.ts';

interface ServiceAppProps extends AppProps {
  /** The commit of the sources: every stack outputs it, says it in a header, and keeps its history. */
  commit?: string;
}

/**
 * Returns a CDK app with these stages by name. Its synthesis fails if one breaks a rule of the AWS
 * Solutions pack.
 */
export const serviceApp = (
  stages: Record<string, StageSettings>,
  { commit, ...appProps }: ServiceAppProps = {},
): App => {
  const app = new App(appProps);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  for (const [stageName, settings] of Object.entries(stages)) {
    const stage = new Stage(app, stageName, { env: settings.env });
    const stack = new InventoryStack(stage, 'petstore-inventory', {
      settings: {
        ...settings,
        ...(isWithoutCanary(app) && { deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE }),
      },
      commit,
    });
    if (commit !== undefined) {
      new CfnOutput(stack, 'Commit', { value: commit });
      // AWS keeps its last hundred values: to go back to the commit before, one has to know it.
      new StringParameter(stack, 'DeployedCommit', {
        parameterName: `/petstore-inventory/${stageName}/commit`,
        stringValue: commit,
      });
    }
  }
  return app;
};

/**
 * Whether `-c canary=off` is given: the way back from a bad version, which must not go on serving 90%
 * of the requests during a canary of the good one.
 */
const isWithoutCanary = (app: App): boolean => {
  const canary = app.node.tryGetContext('canary');
  if (canary !== undefined && canary !== 'off') {
    throw new Error(`The context canary can only be off, not ${canary}.`);
  }
  return canary === 'off';
};
