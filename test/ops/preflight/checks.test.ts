import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Finding } from '../../../ops/preflight/finding.ts';
import { assembly } from '../../support/assembly.ts';
import { awsError, type FakeAws, fakeAws } from '../../support/fake-aws.ts';
import { ops } from '../../support/ops.ts';
import { assemblyWith, changedTemplate, resourcesOf, type Template, templates } from '../../support/synthesized.ts';

const stack = 'prod-petstore-inventory';
const prod = templates.prod as Template;
const [topic = ''] = Object.keys(resourcesOf(prod, 'AWS::SNS::Topic'));
const [version = ''] = Object.keys(resourcesOf(prod, 'AWS::Lambda::Version'));
const [table, ownTable] = [`${stack}-InventoryTable48F1-1ABC`, `${stack}-InventoryTable48F1-2DEF`];

let aws: FakeAws;
beforeEach(async () => {
  aws = await fakeAws();
});

const deployed = (template: Template | string = prod, status = 'UPDATE_COMPLETE') => {
  const text = typeof template === 'string' ? template : JSON.stringify(template);
  const resources = { InventoryTable48F1: ownTable, [topic]: 'arn:aws:sns:eu-west-1:111122223333:topic' };
  aws.stacks.set(stack, { status, template: text, resources });
};

/** What the preflight of prod finds of one thing, a line each. */
const findingsOf = async (check: string, app = assembly): Promise<string> => {
  const { output } = await ops(['preflight', '--stage', 'prod', '--app', app, '--json'], { env: aws.environment });
  const findings = (JSON.parse(output) as Finding[]).filter((finding) => finding.check === check);
  return findings.map(({ outcome, message }) => `${outcome}: ${message}`).join('\n');
};

describe('changes', () => {
  const deploy = `npx cdk deploy --no-rollback 'prod/*' --app ${assembly}`;
  const isNew = `ok: ${stack} is not deployed yet; all of it is new. First deployment: ${deploy}`;
  const goOn = `ok: The first deployment of ${stack} failed halfway (CREATE_FAILED). Continue: ${deploy}`;
  const rollBack = `Roll it back: npx cdk rollback 'prod/*' --app ${assembly}`;
  test.each([
    ['UPDATE_COMPLETE', `ok: ${stack} is up to date: no changes.`],
    ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'Wait until it has finished.'],
    ['UPDATE_ROLLBACK_FAILED', rollBack],
    ['UPDATE_FAILED', rollBack],
    ['DELETE_FAILED', 'Repair it in the CloudFormation console.'],
    ['REVIEW_IN_PROGRESS', isNew],
    ['ROLLBACK_COMPLETE', isNew],
    ['ROLLBACK_FAILED', isNew],
    ['CREATE_FAILED', goOn],
  ])('of a stack in %s', async (status, finding) => {
    deployed(prod, status);

    const expected = finding.startsWith('ok') ? finding : `stop: ${stack} is ${status}. ${finding}`;
    expect(await findingsOf('changes')).toBe(expected);
  });

  test.each([
    ['the key of a table', /"petId"/g, '"id"', 'stop: The deployment replaces InventoryTable'],
    ['the name of a table', /InventoryTable(?=[0-9A-F]{8})/g, 'OldTable', 'stop: The deployment abandons OldTable'],
    ['the name of the API', /\bApi(?=[0-9A-F]{8}")/g, 'OldApi', 'stop: The deployment deletes OldApi'],
    ['the name of its stage', /ApiDeploymentStagep/g, 'OldStagep', 'stop: The deployment deletes OldStage'],
    ['the name of anything else', /ListInventoryLogs/g, 'OldLogs', 'warning: The deployment deletes OldLogs'],
  ])('of %s', async (_what, pattern, name, finding) => {
    deployed(JSON.stringify(prod).replace(pattern, name));

    const found = await findingsOf('changes');
    expect(found).toMatch(new RegExp(`^${finding}\\w+ \\(AWS::[\\w:]+\\)\\.$`, 'm'));
    expect(found).not.toMatch(/^ok/m);
  });

  test('of the key of a table that was deployed halfway', async () => {
    deployed(JSON.stringify(prod).replaceAll('"petId"', '"id"'), 'CREATE_FAILED');

    const loss = /^stop: The deployment replaces InventoryTable\w+ \(AWS::DynamoDB::GlobalTable\)\.$/;
    expect((await findingsOf('changes')).split('\n')).toEqual([expect.stringMatching(loss), goOn]);
  });

  test('of code alone', async () => {
    deployed(JSON.stringify(prod).replaceAll(version, `${version.slice(0, -4)}0000`));

    const finding = /^ok: [1-9]\d* resources of prod-\S+ change; only old versions are replaced or deleted\.$/;
    expect(await findingsOf('changes')).toMatch(finding);
  });
});

const bootstrap = 'npx cdk bootstrap aws://111122223333/eu-west-1';
test.each([
  ['missing', awsError('ParameterNotFound', ''), `The account and region are not prepared. Run: ${bootstrap}`],
  ['too old', { Parameter: { Value: '5' } }, `Version 5; 6 is needed. Run: ${bootstrap}`],
])('a bootstrap that is %s', async (_what, reply, message) => {
  aws.replies.set('ssm GetParameter', reply);

  expect(await findingsOf('bootstrap')).toBe(`stop: ${message}`);
});

test.each([
  [2_050, 4_100, 'ok', '.'],
  [2_049, 4_100, 'warning', ', so clients get a 429 sooner.'],
  [2_050, 4_099, 'warning', ', so clients get a 429 sooner.'],
])('API Gateway throttling of %i and %i for 2,050 and 4,100', async (rateLimit, burstLimit, outcome, end) => {
  aws.replies.set('apigateway GET /account', { throttleSettings: { rateLimit, burstLimit } });
  const template = changedTemplate((changed) => {
    const [stage] = Object.values(resourcesOf(changed, 'AWS::ApiGateway::Stage'));
    const ofNoOperation = { HttpMethod: 'GET', ResourcePath: '/~1v1', ThrottlingRateLimit: 9, ThrottlingBurstLimit: 9 };
    stage?.Properties.MethodSettings.unshift(ofNoOperation);
  });

  const allowed =
    'The stage allows updateInventory 2000 requests a second and 4000 at once, listInventory 50 requests a second and ' +
    `100 at once; the account allows ${rateLimit} and ${burstLimit} for all its APIs`;
  expect(await findingsOf('API Gateway throttling', assemblyWith(template))).toBe(`${outcome}: ${allowed}${end}`);
});

const ownRole = `arn:aws:iam::111122223333:role/${stack}-ApiCloudWatchRole73EC6FC4-x`;
test.each([
  [undefined, 'None yet', 'the first deployment of a stage sets its own.'],
  ['arn:aws:iam::111122223333:role/logs', undefined, 'the first deployment of a stage sets its own.'],
  [ownRole, undefined, 'it belongs to this stage.'],
])('the API Gateway log role %s', async (cloudwatchRoleArn, name = cloudwatchRoleArn, origin) => {
  aws.replies.set('apigateway GET /account', { cloudwatchRoleArn });

  const message = `${name}. All APIs in the account and region share one log role; ${origin}`;
  expect(await findingsOf('API Gateway log role')).toBe(`ok: ${message}`);
});

describe('Lambda concurrency', () => {
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
    [1_000, 1_000, 0, 901, `stop: The stage reserves 901 of the account's 1000 and would leave 99 ${needs}`],
    [1_000, 103, 900, 900, `ok: 103 ${enough}.`],
    [1_000, 100, 900, 0, `ok: 1000 ${enough}.`],
  ])('of %i, %i of them unreserved, with %i and then %i reserved', async (all, unreserved, before, after, found) => {
    const AccountLimit = { ConcurrentExecutions: all, UnreservedConcurrentExecutions: unreserved };
    aws.replies.set('lambda GET /2016-08-19/account-settings', { AccountLimit });
    deployed(reserving(before), before === 0 ? 'ROLLBACK_COMPLETE' : 'UPDATE_COMPLETE');

    expect(await findingsOf('Lambda concurrency', assemblyWith(reserving(after)))).toBe(found);
  });
});

test.each([
  ['CREATE_FAILED', [table]],
  ['ROLLBACK_COMPLETE', [table, ownTable]],
])('leftover tables beside a stack in %s', async (status, left) => {
  aws.replies.set('dynamodb ListTables', { TableNames: [table, ownTable, 'another', `staging-${table}`] });
  deployed(prod, status);

  const onTable = (name: string, command: string) => `aws dynamodb ${command} --region eu-west-1 --table-name ${name}`;
  const warnings = left.map(
    (name) =>
      `warning: ${name} belongs to no stack: a failed first deployment or a destroyed stage left it behind. To delete it, ` +
      `once its data is not needed: ${onTable(name, 'update-table --no-deletion-protection-enabled')} && ` +
      `${onTable(name, 'wait table-exists')} && ${onTable(name, 'delete-table')}`,
  );
  expect(await findingsOf('leftover tables')).toBe(warnings.join('\n'));
});

const subscription = { Type: 'AWS::SNS::Subscription' };
const nobody = 'so alarms notify nobody.';
test.each([
  [1, 1, {}, 'ok: 1 confirmed.'],
  [0, 2, {}, `warning: None has confirmed, ${nobody} 2 got an e-mail with a link to confirm.`],
  [0, 0, {}, `warning: None, ${nobody} Set alarmEmail in infra/app.ts.`],
  [0, 0, { Email: subscription }, 'ok: The deployment adds one, who gets an e-mail with a link to confirm.'],
])('alarm subscribers: %i confirmed and %i pending', async (confirmed, pending, added, finding) => {
  const attributes = { SubscriptionsConfirmed: confirmed, SubscriptionsPending: pending };
  const entry = Object.entries(attributes).map(([key, value]) => ({ key, value }));
  aws.replies.set('sns GetTopicAttributes', { Attributes: { entry } });
  deployed();
  const template = changedTemplate(({ Resources }) => Object.assign(Resources, added));

  expect(await findingsOf('alarm subscribers', assemblyWith(template))).toBe(finding);
});
