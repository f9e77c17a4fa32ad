import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Target } from './account.ts';
import type { SynthesizedStack, Template } from './assembly.ts';
import type { Finding } from './finding.ts';

const resourceLimit = 500;

/** How long a request keeps a function busy, about; with the stage's rate, how many run at once. */
const busySeconds = 0.05;

interface Throttling {
  rate: number;
  burst: number;
}

/** What the stage lets through: requests a second, and at once. */
const throttlingOf = ({ Resources }: Template): Throttling => {
  const stage = Object.values(Resources).find(({ Type }) => Type === 'AWS::ApiGateway::Stage');
  const settings = (stage?.Properties?.MethodSettings ?? []) as Record<string, number>[];
  const { ThrottlingRateLimit: rate = 0, ThrottlingBurstLimit: burst = 0 } =
    settings.find(({ ThrottlingRateLimit }) => ThrottlingRateLimit !== undefined) ?? {};
  return { rate, burst };
};

/** The role that API Gateway writes its logs with, and the account's throttling of all APIs together. */
export const checkApiGateway = async ({ client }: Target, { template }: SynthesizedStack): Promise<Finding[]> => {
  const { cloudwatchRoleArn, throttleSettings } = await new APIGatewayClient(client).send(new GetAccountCommand({}));
  const { rate, burst } = throttlingOf(template);
  const { rateLimit = 0, burstLimit = 0 } = throttleSettings ?? {};
  const fits = rate <= rateLimit && burst <= burstLimit;
  return [
    {
      check: 'API Gateway log role',
      outcome: 'ok',
      message: cloudwatchRoleArn
        ? `${cloudwatchRoleArn}; the stack sets its own, for every API of the account and region.`
        : 'None yet; the stack sets one, for every API of the account and region.',
    },
    {
      check: 'API Gateway throttling',
      outcome: fits ? 'ok' : 'warning',
      message:
        `The stage takes ${rate} requests a second and ${burst} at once; ` +
        `the account ${rateLimit} and ${burstLimit} for all its APIs${fits ? '' : ', so clients get a 429 sooner'}.`,
    },
  ];
};

export const checkLambda = async ({ client }: Target, { template }: SynthesizedStack): Promise<Finding[]> => {
  const { AccountLimit } = await new LambdaClient(client).send(new GetAccountSettingsCommand({}));
  const free = AccountLimit?.UnreservedConcurrentExecutions ?? 0;
  const { rate } = throttlingOf(template);
  const needed = Math.ceil(rate * busySeconds);
  return [
    {
      check: 'Lambda concurrency',
      outcome: free >= needed ? 'ok' : 'warning',
      message:
        `${free} functions can run at once; ${rate} requests a second need about ${needed}` +
        `${free >= needed ? '.' : ', so clients get a 5xx sooner. Ask for more: Service Quotas, Lambda, Concurrent executions.'}`,
    },
  ];
};

export const checkResourceCount = ({ template }: SynthesizedStack): Finding => {
  const count = Object.keys(template.Resources).length;
  return {
    check: 'CloudFormation resources',
    outcome: count > resourceLimit ? 'stop' : count > resourceLimit * 0.9 ? 'warning' : 'ok',
    message: `${count} of ${resourceLimit} that a stack may have.`,
  };
};
