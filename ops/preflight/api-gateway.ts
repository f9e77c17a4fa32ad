import { APIGateway } from '@aws-sdk/client-api-gateway';
import type { Check } from './deployment.ts';
import { throttlingOf } from './template.ts';

/**
 * Reports the role with which API Gateway writes its logs, and compares the stage's throttling with
 * the account's.
 */
export const checkApiGateway: Check = async ({ client, stack }, report) => {
  const account = await new APIGateway(client).getAccount();
  const { cloudwatchRoleArn: role = 'None yet', throttleSettings } = account;
  const isOfStage = role.includes(`/${stack.stackName}-`);
  const origin = isOfStage
    ? 'it belongs to this stage.'
    : 'the first deployment of a stage sets its own.';
  report(
    'ok',
    `${role}. All APIs in the account and region share one log role; ${origin}`,
    'API Gateway log role',
  );

  const { rateLimit = 0, burstLimit = 0 } = throttleSettings ?? {};
  const operations = throttlingOf(stack.template);
  const rate = operations.reduce((sum, each) => sum + each.rate, 0);
  const burst = operations.reduce((sum, each) => sum + each.burst, 0);
  const allowed = operations
    .map((each) => `${each.operation} ${each.rate} requests a second and ${each.burst} at once`)
    .join(', ');
  const message =
    `The stage allows ${allowed}; ` +
    `the account allows ${rateLimit} and ${burstLimit} for all its APIs`;
  if (rate <= rateLimit && burst <= burstLimit) {
    report('ok', `${message}.`, 'API Gateway throttling');
  } else {
    const remedy = 'Lower throttling, or ask for more: Service Quotas, Amazon API Gateway';
    const effect = `so clients get a 429 sooner. ${remedy}`;
    report('warning', `${message}, ${effect}, Throttle rate.`, 'API Gateway throttling');
  }
};
