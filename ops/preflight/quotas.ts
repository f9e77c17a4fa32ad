import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { Account } from './account.ts';
import { type DeployedStack, resourcesOf, type Template } from './deployed-stack.ts';
import { type Finding, findingOf } from './finding.ts';

/** What AWS keeps for functions that reserve nothing. */
const leastUnreserved = 100;

/** How long a request keeps a function busy, about; with the stage's rate, how many run at once. */
const busySeconds = 0.05;

const askForMore = 'Ask for more: Service Quotas, Lambda, Concurrent executions.';

interface Throttling {
  operation: string;
  /** Requests a second, and at once. */
  rate: number;
  burst: number;
}

/** Of a resource of the API. */
const pathOf = (template: Template, { Ref = '' }: { Ref?: string }): string => {
  const { PathPart, ParentId } = template.Resources[Ref]?.Properties ?? {};
  return PathPart ? `${pathOf(template, ParentId as { Ref?: string })}/${PathPart}` : '';
};

/** What each operation takes: API Gateway counts the requests of every method by itself. */
const throttlingOf = (template: Template): Throttling[] => {
  const settings = resourcesOf(template, 'AWS::ApiGateway::Stage')
    .flatMap(([, { MethodSettings = [] }]) => MethodSettings as Record<string, unknown>[])
    .filter(({ ThrottlingRateLimit }) => ThrottlingRateLimit !== undefined);
  const operations = resourcesOf(template, 'AWS::ApiGateway::Method').filter(([, method]) => method.OperationName);
  return operations.map(([, { OperationName, HttpMethod, ResourceId }]) => {
    const path = `/${pathOf(template, ResourceId as { Ref?: string }).replaceAll('/', '~1')}`;
    const own = settings.find((each) => each.HttpMethod === HttpMethod && each.ResourcePath === path);
    const { ThrottlingRateLimit = 0, ThrottlingBurstLimit = 0 } =
      own ?? settings.find(({ ResourcePath }) => ResourcePath === '/*') ?? {};
    return { operation: String(OperationName), rate: Number(ThrottlingRateLimit), burst: Number(ThrottlingBurstLimit) };
  });
};

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The role that API Gateway writes its logs with, and the account's throttling of all APIs together. */
export const checkApiGateway = async (
  { client }: Account,
  { stackName, template }: CloudFormationStackArtifact,
): Promise<Finding[]> => {
  const { cloudwatchRoleArn, throttleSettings } = await new APIGatewayClient(client).send(new GetAccountCommand({}));
  const operations = throttlingOf(template);
  const { rateLimit = 0, burstLimit = 0 } = throttleSettings ?? {};
  const [rate, burst] = [sum(operations.map((each) => each.rate)), sum(operations.map((each) => each.burst))];
  const fits = rate <= rateLimit && burst <= burstLimit;
  const taken = operations.map((each) => `${each.operation} ${each.rate} requests a second and ${each.burst} at once`);
  const isOwn = cloudwatchRoleArn?.includes(`/${stackName}-`);
  const role =
    `${cloudwatchRoleArn ?? 'None yet'}. All APIs of the account and region share one; ` +
    `${isOwn ? 'it is the one of this stage.' : 'the first deployment of a stage sets its own.'}`;
  const limits =
    `The stage allows ${taken.join(', ')}; the account ${rateLimit} and ${burstLimit} ` +
    `for all its APIs${fits ? '.' : ', so clients get a 429 sooner.'}`;
  return [
    findingOf('API Gateway log role')('ok', role),
    findingOf('API Gateway throttling')(fits ? 'ok' : 'warning', limits),
  ];
};

/** How many executions the functions of a template keep for themselves. */
const reservedBy = (template: Template): number => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  return sum(functions.map(([, { ReservedConcurrentExecutions = 0 }]) => Number(ReservedConcurrentExecutions)));
};

/** Whether enough functions can run at once, also once the stage has what it reserves. */
export const checkLambda = async (
  { client }: Account,
  { template }: CloudFormationStackArtifact,
  reading: Promise<DeployedStack | undefined>,
): Promise<Finding[]> => {
  const finding = findingOf('Lambda concurrency');
  const { AccountLimit } = await new LambdaClient(client).send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit ?? {};
  const reserved = reservedBy(template);
  const reservedNow = reserved === 0 ? 0 : reservedBy((await reading)?.template ?? { Resources: {} });
  const left = unreserved + reservedNow - reserved;
  if (reserved > 0 && left < leastUnreserved) {
    const message = `The stage reserves ${reserved} of the account's ${quota} and would leave ${left} unreserved;`;
    return [finding('stop', `${message} AWS needs ${leastUnreserved}. Reserve less. ${askForMore}`)];
  }
  const needed = Math.ceil(sum(throttlingOf(template).map(({ rate }) => rate)) * busySeconds);
  const message = `${left} functions can run at once; the requests that the stage takes need about ${needed}`;
  return left >= needed
    ? [finding('ok', `${message}.`)]
    : [finding('warning', `${message}, so clients get a 5xx sooner. ${askForMore}`)];
};
