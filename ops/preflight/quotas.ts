import { APIGateway } from '@aws-sdk/client-api-gateway';
import { Lambda } from '@aws-sdk/client-lambda';
import { type Check, resourcesOf, type Template } from './deployment.ts';

/** The concurrency that AWS keeps for functions that reserve none. */
const leastUnreserved = 100;

/**
 * About how long a request keeps a function busy. Multiplied by the stage's rate, it gives how many
 * run at once.
 */
const busySeconds = 0.05;

const sum = (numbers: unknown[]): number =>
  numbers.reduce((total: number, number) => total + Number(number), 0);

/**
 * Returns the requests a second, and at once, that each operation allows. API Gateway counts them
 * for each method.
 */
const throttlingOf = (template: Template) => {
  const stages = resourcesOf(template, 'AWS::ApiGateway::Stage');
  const settings = stages.flatMap(
    ([, { MethodSettings = [] }]) => MethodSettings as Record<string, unknown>[],
  );
  const operations = resourcesOf(template, 'AWS::ApiGateway::Method').filter(
    ([, method]) => method.OperationName,
  );
  return operations.map(([, { OperationName: operation, HttpMethod, ResourceId }]) => {
    const { PathPart } = template.Resources[(ResourceId as { Ref: string }).Ref]?.Properties ?? {};
    // The last part identifies a path, because no two paths of the API end in the same part.
    const isOwn = (path: unknown) => `${path}`.endsWith(`~1${PathPart}`);
    const own = settings.find((each) => each.HttpMethod === HttpMethod && isOwn(each.ResourcePath));
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } =
      own ?? settings.find((each) => each.ResourcePath === '/*') ?? {};
    return { operation, rate, burst };
  });
};

/**
 * Reports the role with which API Gateway writes its logs, and compares the stage's throttling with
 * the account's.
 */
export const checkApiGateway: Check = async (
  { client, stack: { stackName, template } },
  report,
) => {
  const { cloudwatchRoleArn: role = 'None yet', throttleSettings } = await new APIGateway(
    client,
  ).getAccount();
  const isOwn = role.includes(`/${stackName}-`);
  const origin = isOwn
    ? 'it belongs to this stage.'
    : 'the first deployment of a stage sets its own.';
  report(
    'ok',
    `${role}. All APIs in the account and region share one log role; ${origin}`,
    'API Gateway log role',
  );

  const { rateLimit = 0, burstLimit = 0 } = throttleSettings ?? {};
  const operations = throttlingOf(template);
  const [rate, burst] = [
    sum(operations.map((each) => each.rate)),
    sum(operations.map((each) => each.burst)),
  ];
  const taken = operations.map(
    (each) => `${each.operation} ${each.rate} requests a second and ${each.burst} at once`,
  );
  const limits = `The stage allows ${taken.join(', ')}; the account allows ${rateLimit} and ${burstLimit} for all its APIs`;
  rate <= rateLimit && burst <= burstLimit
    ? report('ok', `${limits}.`, 'API Gateway throttling')
    : report('warning', `${limits}, so clients get a 429 sooner.`, 'API Gateway throttling');
};

const reservedBy = (template: Template): number =>
  sum(
    resourcesOf(template, 'AWS::Lambda::Function').map(
      ([, each]) => each.ReservedConcurrentExecutions ?? 0,
    ),
  );

/** Checks that enough functions can run at once, even after the stage has reserved its share. */
export const checkLambda: Check = async ({ client, stack: { template }, deployed }, report) => {
  const { AccountLimit } = await new Lambda(client).getAccountSettings();
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } =
    AccountLimit ?? {};
  const reserved = reservedBy(template);
  const reservedNow = reservedBy((await deployed)?.template ?? { Resources: {} });
  const left = unreserved + reservedNow - reserved;
  const more = 'more: Service Quotas, Lambda, Concurrent executions.';
  if (reserved > 0 && left < leastUnreserved) {
    const message = `The stage reserves ${reserved} of the account's ${quota} and would leave ${left} unreserved;`;
    return report(
      'stop',
      `${message} AWS requires ${leastUnreserved}. Reserve less, or ask for ${more}`,
    );
  }
  const needed = Math.ceil(sum(throttlingOf(template).map(({ rate }) => rate)) * busySeconds);
  const message = `${left} functions can run at once; the requests that the stage allows need about ${needed}`;
  return left >= needed
    ? report('ok', `${message}.`)
    : report('warning', `${message}, so clients get a 5xx sooner. Ask for ${more}`);
};
