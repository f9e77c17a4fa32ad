import { App, type AppProps, Stage, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { InventoryStack } from './inventory-stack.ts';
import type { StageSettings } from './settings/stage-settings.ts';

/**
 * Returns a CDK app with these stages by name. Its synthesis fails if one breaks a rule of the AWS
 * Solutions pack.
 */
export const serviceApp = (stages: Record<string, StageSettings>, props?: AppProps): App => {
  const app = new App(props);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  for (const [stageName, settings] of Object.entries(stages)) {
    const stage = new Stage(app, stageName, { env: settings.env });
    new InventoryStack(stage, 'petstore-inventory', settings);
  }
  return app;
};
