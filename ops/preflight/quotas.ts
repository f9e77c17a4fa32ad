import { APIGateway } from '@aws-sdk/client-api-gateway';
import { Lambda } from '@aws-sdk/client-lambda';
import { type Check, resourcesOf, type Template } from './deployment.ts';

/** What AWS keeps for functions that reserve nothing. */
const leastUnreserved = 100;

/** How long a request keeps a function busy, about; with the stage's rate, how many run at once. */
const busySeconds = 0.05;

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

interface Reference {
  Ref?: string;
}

/** The path of a resource of the API, as the stage's settings write it. */
const pathOf = (template: Template, { Ref = '' }: Reference): string => {
  const { PathPart, ParentId } = template.Resources[Ref]?.Properties ?? {};
  return PathPart ? `${pathOf(template, ParentId as Reference)}~1${PathPart}` : '/';
};

/** How many requests a second, and at once, each operation takes: API Gateway counts those of every method by itself. */
const throttlingOf = (template: Template): { operation: string; rate: number; burst: number }[] => {
  const settings = resourcesOf(template, 'AWS::ApiGateway::Stage')
    .flatMap(([, { MethodSettings = [] }]) => MethodSettings as Record<string, unknown>[])
    .filter(({ ThrottlingRateLimit }) => ThrottlingRateLimit !== undefined);
  const operations = resourcesOf(template, 'AWS::ApiGateway::Method').filter(([, method]) => method.OperationName);
  return operations.map(([, { OperationName, HttpMethod, ResourceId }]) => {
    const path = pathOf(template, ResourceId as Reference);
    const own = settings.find((each) => each.HttpMethod === HttpMethod && each.ResourcePath === path);
    const { ThrottlingRateLimit, ThrottlingBurstLimit } =
      own ?? settings.find((each) => each.ResourcePath === '/*') ?? {};
    return { operation: `${OperationName}`, rate: Number(ThrottlingRateLimit), burst: Number(ThrottlingBurstLimit) };
  });
};

/** The role that API Gateway writes its logs with, and the account's throttling of all APIs together. */
export const checkApiGateway: Check = async ({ client, stack: { stackName, template } }, report) => {
  const { cloudwatchRoleArn: role = 'None yet', throttleSettings } = await new APIGateway(client).getAccount();
  const isOwn = role.includes(`/${stackName}-`);
  const origin = isOwn ? 'it belongs to this stage.' : 'the first deployment of a stage sets its own.';
  report('ok', `${role}. All APIs in the account and region share one log role; ${origin}`, 'API Gateway log role');

  const { rateLimit = 0, burstLimit = 0 } = throttleSettings ?? {};
  const operations = throttlingOf(template);
  const fits =
    sum(operations.map(({ rate }) => rate)) <= rateLimit && sum(operations.map(({ burst }) => burst)) <= burstLimit;
  const taken = operations.map((each) => `${each.operation} ${each.rate} requests a second and ${each.burst} at once`);
  const limits = `The stage allows ${taken.join(', ')}; the account allows ${rateLimit} and ${burstLimit} for all its APIs`;
  report(
    fits ? 'ok' : 'warning',
    `${limits}${fits ? '.' : ', so clients get a 429 sooner.'}`,
    'API Gateway throttling',
  );
};

/** How many executions the functions of a template keep for themselves. */
const reservedBy = (template: Template): number => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  return sum(functions.map(([, { ReservedConcurrentExecutions = 0 }]) => Number(ReservedConcurrentExecutions)));
};

/** Whether enough functions can run at once, also once the stage has what it reserves. */
export const checkLambda: Check = async ({ client, stack: { template }, deployed }, report) => {
  const { AccountLimit } = await new Lambda(client).getAccountSettings();
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit ?? {};
  const reserved = reservedBy(template);
  const reservedNow = reserved === 0 ? 0 : reservedBy((await deployed)?.template ?? { Resources: {} });
  const left = unreserved + reservedNow - reserved;
  const more = 'more: Service Quotas, Lambda, Concurrent executions.';
  if (reserved > 0 && left < leastUnreserved) {
    const message = `The stage reserves ${reserved} of the account's ${quota} and would leave ${left} unreserved;`;
    return report('stop', `${message} AWS requires ${leastUnreserved}. Reserve less, or ask for ${more}`);
  }
  const needed = Math.ceil(sum(throttlingOf(template).map(({ rate }) => rate)) * busySeconds);
  const message = `${left} functions can run at once; the requests that the stage allows need about ${needed}`;
  return left >= needed
    ? report('ok', `${message}.`)
    : report('warning', `${message}, so clients get a 5xx sooner. Ask for ${more}`);
};
