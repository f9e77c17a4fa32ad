import type { Stack } from 'aws-cdk-lib';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { InventoryApi } from '../api/inventory-api.ts';

/**
 * Adds the rule by which X-Ray traces 5 % of the stage's requests. The account's default rule would
 * trace the first of each second as well: seven times as many, at 10,000 requests an hour.
 */
export const addSamplingRule = (
  stack: Stack,
  { restApiName, deploymentStage }: InventoryApi,
): void => {
  const anything = '*';
  new CfnSamplingRule(stack, 'SamplingRule', {
    samplingRule: {
      version: 1,
      // Of at most 32 characters. X-Ray has one list of rules for each region.
      ruleName: restApiName,
      // The first rule that matches decides. The account's default rule is the last.
      priority: 1_000,
      fixedRate: 0.05,
      reservoirSize: 0,
      serviceType: 'AWS::ApiGateway::Stage',
      serviceName: `${restApiName}/${deploymentStage.stageName}`,
      resourceArn: anything,
      host: anything,
      httpMethod: anything,
      urlPath: anything,
    },
  });
};
