import { expect, test } from '@jest/globals';
import type { Finding } from '../../../ops/preflight/finding.ts';
import { awsError, fakeAws } from '../../support/ops/fake-aws.ts';
import { ops } from '../../support/ops/ops.ts';
import { assembly } from '../../support/stack/assembly.ts';
import {
  assemblyWith,
  changedTemplate,
  resourcesOf,
  type Template,
  templates,
} from '../../support/stack/synthesized.ts';

const stack = 'prod-petstore-inventory';
const prod = JSON.stringify(templates.prod);
const [topic = ''] = Object.keys(resourcesOf(JSON.parse(prod), 'AWS::SNS::Topic'));
const [version = ''] = Object.keys(resourcesOf(JSON.parse(prod), 'AWS::Lambda::Version'));
const [table, ownTable] = [`${stack}-InventoryTable48F1-1ABC`, `${stack}-InventoryTable48F1-2DEF`];
const resources = {
  InventoryTable48F1: ownTable,
  [topic]: 'arn:aws:sns:eu-west-1:111122223333:topic',
};

interface Differences {
  status?: string;
  template?: string;
  next?: Template;
  /** The responses of AWS, by `service Action`. */
  replies?: Record<string, object>;
}

/**
 * Returns the findings of one check, one per line. In the account, prod is up to date except for
 * `Differences`.
 */
const findingsOf = async (
  check: string,
  { next, replies = {}, ...deployed }: Differences,
): Promise<string> => {
  const aws = await fakeAws(replies);
  aws.stacks.set(stack, { status: 'UPDATE_COMPLETE', template: prod, resources, ...deployed });
  const app = next ? assemblyWith(next) : assembly;
  const { output } = await ops(['preflight', '--stage', 'prod', '--app', app, '--json'], {
    env: aws.environment,
  });
  const findings = (JSON.parse(output) as Finding[]).filter((finding) => finding.check === check);
  return findings.map(({ outcome, message }) => `${outcome}: ${message}`).join('\n');
};

const deploy = `npx cdk deploy --no-rollback 'prod/*' --app ${assembly}`;
const isNew = `ok: ${stack} is not deployed yet; all of it is new. First deployment: ${deploy}`;
const goOn = `ok: The first deployment of ${stack} failed halfway (CREATE_FAILED). Continue: ${deploy}`;
const rollBack = `Roll it back: npx cdk rollback 'prod/*' --app ${assembly}`;
const stop = (status: string, remedy: string): [string, string] => [
  status,
  `stop: ${stack} is ${status}. ${remedy}`,
];
test.each([
  ['UPDATE_COMPLETE', `ok: ${stack} is up to date: no changes.`],
  stop('UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'Wait until it has finished.'),
  stop('UPDATE_ROLLBACK_FAILED', rollBack),
  stop('UPDATE_FAILED', rollBack),
  stop('DELETE_FAILED', 'Repair it in the CloudFormation console.'),
  ['REVIEW_IN_PROGRESS', isNew],
  ['ROLLBACK_COMPLETE', isNew],
  ['ROLLBACK_FAILED', isNew],
  ['CREATE_FAILED', goOn],
])('preflight says what to do with a stack in state %s', async (status, finding) => {
  expect(await findingsOf('changes', { status })).toBe(finding);
});

test.each([
  ['the key of a table', /"petId"/g, '"id"', 'stop: The deployment replaces InventoryTable'],
  [
    'the logical ID of a table',
    /InventoryTable(?=[0-9A-F]{8})/g,
    'OldTable',
    'stop: The deployment abandons OldTable',
  ],
  [
    'the logical ID of the API',
    /\bApi(?=[0-9A-F]{8}")/g,
    'OldApi',
    'stop: The deployment deletes OldApi',
  ],
  [
    'the logical ID of its stage',
    /ApiDeploymentStagep/g,
    'OldStagep',
    'stop: The deployment deletes OldStage',
  ],
  [
    'another logical ID',
    /ListInventoryLogs/g,
    'OldLogs',
    'warning: The deployment deletes OldLogs',
  ],
])('preflight says what is lost if %s changes', async (_what, pattern, name, finding) => {
  const template = prod.replace(pattern, name);
  const found = await findingsOf('changes', { template });
  expect(found).toMatch(new RegExp(`^${finding}\\w+ \\(AWS::[\\w:]+\\)\\.$`, 'm'));
  expect(found).not.toMatch(/^ok/m);
  // Continuing a first deployment that failed halfway loses the resource as well.
  expect(await findingsOf('changes', { template, status: 'CREATE_FAILED' })).toBe(
    `${found}\n${goOn}`,
  );
});

test('preflight accepts a change of code only', async () => {
  const template = prod.replaceAll(version, `${version.slice(0, -4)}0000`);
  const finding =
    /^ok: [1-9]\d* resources of prod-\S+ change; only old versions are replaced or deleted\.$/;
  expect(await findingsOf('changes', { template })).toMatch(finding);
});

const bootstrap = 'npx cdk bootstrap aws://111122223333/eu-west-1';
test.each([
  [
    'missing',
    awsError('ParameterNotFound', ''),
    `The account and region are not prepared. Run: ${bootstrap}`,
  ],
  ['too old', { Parameter: { Value: '22' } }, `Version 22; 23 is needed. Run: ${bootstrap}`],
])('preflight stops if the bootstrap stack is %s', async (_what, reply, message) => {
  expect(await findingsOf('bootstrap', { replies: { 'ssm GetParameter': reply } })).toBe(
    `stop: ${message}`,
  );
});

test.each([
  [2_050, 4_100, 'ok', '.'],
  [2_049, 4_100, 'warning', ', so clients get a 429 sooner.'],
  [2_050, 4_099, 'warning', ', so clients get a 429 sooner.'],
])(
  'warns if account limits of %i and %i are below 2,050 and 4,100',
  async (rateLimit, burstLimit, outcome, end) => {
    const next = changedTemplate((changed) => {
      const [stage] = Object.values(resourcesOf(changed, 'AWS::ApiGateway::Stage'));
      const ofNoOperation = {
        HttpMethod: 'GET',
        ResourcePath: '/~1v1',
        ThrottlingRateLimit: 9,
        ThrottlingBurstLimit: 9,
      };
      stage?.Properties.MethodSettings.unshift(ofNoOperation);
    });
    const replies = { 'apigateway GET /account': { throttleSettings: { rateLimit, burstLimit } } };
    expect(await findingsOf('API Gateway throttling', { next, replies })).toBe(
      `${outcome}: The stage allows updateInventory 2000 requests a second and 4000 at once, listInventory 50 requests a ` +
        `second and 100 at once; the account allows ${rateLimit} and ${burstLimit} for all its APIs${end}`,
    );
  },
);

const others = 'arn:aws:iam::111122223333:role/logs';
const own = `arn:aws:iam::111122223333:role/${stack}-ApiCloudWatchRole73EC6FC4-x`;
test.each([
  [undefined, 'None yet', 'the first deployment of a stage sets its own.'],
  [others, others, 'the first deployment of a stage sets its own.'],
  [own, own, 'it belongs to this stage.'],
])(
  'preflight says where the API Gateway log role %s comes from',
  async (cloudwatchRoleArn, name, origin) => {
    const message = `${name}. All APIs in the account and region share one log role; ${origin}`;
    const replies = { 'apigateway GET /account': { cloudwatchRoleArn } };
    expect(await findingsOf('API Gateway log role', { replies })).toBe(`ok: ${message}`);
  },
);

const reserving = (count: number) =>
  changedTemplate((changed) => {
    const [lambda] = Object.values(resourcesOf(changed, 'AWS::Lambda::Function'));
    Object.assign(lambda?.Properties ?? {}, { ReservedConcurrentExecutions: count });
  });
const more = 'sk for more: Service Quotas, Lambda, Concurrent executions.';
const enough = 'functions can run at once; the requests that the stage allows need about 103';
const tooFew = `${enough}, so clients get a 5xx sooner. A${more}`;
const needs = `unreserved; AWS requires 100. Reserve less, or a${more}`;
test.each([
  [10, 10, 0, 0, `warning: 10 ${tooFew}`],
  [1_000, 1_000, 0, 900, `warning: 100 ${tooFew}`],
  [
    1_000,
    1_000,
    0,
    901,
    `stop: The stage reserves 901 of the account's 1000 and would leave 99 ${needs}`,
  ],
  [1_000, 103, 900, 900, `ok: 103 ${enough}.`],
  [1_000, 100, 900, 0, `ok: 1000 ${enough}.`],
])(
  'preflight checks a concurrency of %i, of which %i is unreserved, for a stage that reserved %i and will reserve %i',
  async (all, unreserved, before, after, found) => {
    const AccountLimit = { ConcurrentExecutions: all, UnreservedConcurrentExecutions: unreserved };
    const replies = { 'lambda GET /2016-08-19/account-settings': { AccountLimit } };
    const template = JSON.stringify(reserving(before));
    // A stack that could not be created reserves nothing.
    const status = before === 0 ? 'ROLLBACK_COMPLETE' : 'UPDATE_COMPLETE';
    expect(
      await findingsOf('Lambda concurrency', { replies, template, status, next: reserving(after) }),
    ).toBe(found);
  },
);

test.each([
  ['CREATE_FAILED', [table]],
  ['ROLLBACK_COMPLETE', [table, ownTable]],
])('preflight warns of leftover tables next to a stack in state %s', async (status, left) => {
  const onTable = (name: string, command: string) =>
    `aws dynamodb ${command} --region eu-west-1 --table-name ${name}`;
  const warnings = left.map(
    (name) =>
      `warning: ${name} belongs to no stack: a failed first deployment or a destroyed stage left it behind. To delete it, ` +
      `once its data is no longer needed: ${onTable(name, 'update-table --no-deletion-protection-enabled')} && ` +
      `${onTable(name, 'wait table-exists')} && ${onTable(name, 'delete-table')}`,
  );
  const replies = {
    'dynamodb ListTables': { TableNames: [table, ownTable, 'another', `staging-${table}`] },
  };
  expect(await findingsOf('leftover tables', { status, replies })).toBe(warnings.join('\n'));
});

const subscription = { Type: 'AWS::SNS::Subscription' };
const nobody = 'so alarms notify nobody.';
test.each([
  [1, 1, {}, 'ok: 1 confirmed.'],
  [0, 2, {}, `warning: None has confirmed, ${nobody} 2 got an e-mail with a link to confirm.`],
  [0, 0, {}, `warning: None, ${nobody} Set alarmEmail in infra/app.ts.`],
  [
    0,
    0,
    { Email: subscription },
    'ok: The deployment adds one, who gets an e-mail with a link to confirm.',
  ],
])(
  'preflight reports %i confirmed and %i pending alarm subscribers',
  async (confirmed, pending, added, finding) => {
    const attributes = { SubscriptionsConfirmed: confirmed, SubscriptionsPending: pending };
    const entry = Object.entries(attributes).map(([key, value]) => ({ key, value }));
    const next = changedTemplate(({ Resources }) => Object.assign(Resources, added));
    const replies = { 'sns GetTopicAttributes': { Attributes: { entry } } };
    expect(await findingsOf('alarm subscribers', { next, replies })).toBe(finding);
  },
);
