import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { SNS } from '@aws-sdk/client-sns';
import { SSM } from '@aws-sdk/client-ssm';
import { synthesize } from '../../infra/assembly/synthesize.ts';
import { checkChanges } from './changes.ts';
import { type Check, findDeployment, resourcesOf } from './deployment.ts';
import { type Finding, type Report, reasonOf } from './finding.ts';
import { checkApiGateway, checkLambda } from './quotas.ts';

/**
 * Checks that `cdk bootstrap` has prepared the account and region, well enough for `cdk rollback`,
 * too.
 */
const checkBootstrap: Check = async ({ accountId, client, stack }, report) => {
  const { bootstrapStackVersionSsmParameter: Name } = stack;
  const needed = 23;
  const command = `npx cdk bootstrap aws://${accountId}/${client.region}`;
  const found = await new SSM(client)
    .getParameter({ Name })
    .catch((error: Error) =>
      error.name === 'ParameterNotFound' ? undefined : Promise.reject(error),
    );
  const version = Number(found?.Parameter?.Value);
  const message = found
    ? `Version ${version}; ${needed} is needed.`
    : 'The account and region are not prepared.';
  version >= needed ? report('ok', message) : report('stop', `${message} Run: ${command}`);
};

/**
 * Finds tables whose names CloudFormation made for a stack of this name, but that the stack does
 * not own.
 */
const checkLeftovers: Check = async ({ client, stack, deployed }, report) => {
  const own = new Set((await deployed)?.resources.values());
  const pages = await Array.fromAsync(
    paginateListTables({ client: new DynamoDBClient(client) }, {}),
  );
  const tables = pages.flatMap(({ TableNames = [] }) => TableNames);
  const left = tables.filter((name) => name.startsWith(`${stack.stackName}-`) && !own.has(name));
  for (const name of left) {
    const aws = (command: string) =>
      `aws dynamodb ${command} --region ${client.region} --table-name ${name}`;
    const commands = [
      'update-table --no-deletion-protection-enabled',
      'wait table-exists',
      'delete-table',
    ].map(aws);
    const message = `${name} belongs to no stack: a failed first deployment or a destroyed stage left it behind.`;
    report(
      'warning',
      `${message} To delete it, once its data is no longer needed: ${commands.join(' && ')}`,
    );
  }
  if (left.length === 0) {
    report('ok', 'None.');
  }
};

/** Checks that somebody is notified when an alarm of prod goes off. */
const checkAlarmTopic: Check = async (
  { stageName, client, stack: { template }, deployed },
  report,
) => {
  if (stageName !== 'prod') {
    return;
  }
  const [[topic] = []] = resourcesOf(template, 'AWS::SNS::Topic');
  const TopicArn = (await deployed)?.resources.get(topic);
  const { Attributes = {} } = TopicArn
    ? await new SNS(client).getTopicAttributes({ TopicArn })
    : {};
  const { SubscriptionsConfirmed: confirmed = '0', SubscriptionsPending: pending = '0' } =
    Attributes;
  if (confirmed !== '0') {
    report('ok', `${confirmed} confirmed.`);
  } else if (pending !== '0') {
    report(
      'warning',
      `None has confirmed, so alarms notify nobody. ${pending} got an e-mail with a link to confirm.`,
    );
  } else if (resourcesOf(template, 'AWS::SNS::Subscription').length > 0) {
    report('ok', 'The deployment adds one, who gets an e-mail with a link to confirm.');
  } else {
    report('warning', 'None, so alarms notify nobody. Set alarmEmail in infra/app.ts.');
  }
};

/** The checks, each with the outcome to report if it cannot be made. */
const checks: [name: string, unreadable: Finding['outcome'], check: Check][] = [
  ['bootstrap', 'warning', checkBootstrap],
  ['API Gateway account', 'warning', checkApiGateway],
  ['Lambda concurrency', 'warning', checkLambda],
  ['changes', 'stop', checkChanges],
  ['leftover tables', 'warning', checkLeftovers],
  ['alarm subscribers', 'warning', checkAlarmTopic],
];

/** Makes every check that can be made before a stage is deployed from a cloud assembly. */
export const runChecks = async (stageName: string, assembly: string | undefined, app: string) => {
  const reportTo =
    (findings: Finding[], name = ''): Report =>
    (outcome, message, check = name) =>
      void findings.push({ check, outcome, message });
  const found: Finding[] = [];
  const deployment = await findDeployment(
    stageName,
    assembly ?? (await synthesize('*')),
    app,
    reportTo(found),
  );
  if (!deployment) {
    return found;
  }
  const others = checks.map(async ([name, unreadable, check]) => {
    const findings: Finding[] = [];
    const report = reportTo(findings, name);
    await check(deployment, report).catch((error) =>
      report(unreadable, `Could not be checked. ${reasonOf(error)}`),
    );
    return findings;
  });
  return [found, ...(await Promise.all(others))].flat();
};
