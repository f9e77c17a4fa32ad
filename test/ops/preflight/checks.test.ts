import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { assembly } from '../../support/assembly.ts';
import { jsonError, topicAttributes } from '../../support/aws-reply.ts';
import { type FakeAws, fakeAws } from '../../support/fake-aws.ts';
import { assemblyWith, changedTemplate, deploy, findingsOf, prodStack } from '../../support/preflight.ts';
import { logicalId, resourcesOf, type Template, templates } from '../../support/synthesized.ts';

const prod = templates.prod as Template;
const onlyOne = (template: Template, type: string) => Object.values(resourcesOf(template, type))[0]?.Properties ?? {};

let aws: FakeAws;
beforeEach(async () => {
  aws = await fakeAws();
});
afterEach(() => aws.close());

describe('changes', () => {
  const changes = () => findingsOf(aws, 'changes');
  const rename = (pattern: RegExp, name: string) => {
    const text = JSON.stringify(prod);
    const renamed = text.replace(pattern, name);
    expect(renamed).not.toBe(text);
    deploy(aws, renamed);
  };

  test('are none of what is deployed already', async () => {
    deploy(aws, prod);

    expect(await changes()).toEqual([`ok: ${prodStack} is up to date: no changes.`]);
  });

  test('of code alone pass', async () => {
    const version = Object.keys(resourcesOf(prod, 'AWS::Lambda::Version'))[0] ?? '';
    rename(new RegExp(version, 'g'), `${version.slice(0, -4)}0000`);

    const [finding] = await changes();
    expect(finding).toMatch(/^ok: [1-9]\d* resources of .* change; only old versions are replaced or deleted\.$/);
  });

  test.each([
    ['give a table another key', /"petId"/g, '"id"', 'replaces InventoryTable'],
    ['rename a table', /InventoryTable(?=[0-9A-F]{8})/g, 'OldTable', 'abandons OldTable'],
    ['rename the API', /\bApi(?=[0-9A-F]{8}")/g, 'OldApi', 'deletes OldApi'],
    ['rename the stage', /ApiDeploymentStagep/g, 'OldStagep', 'deletes OldStage'],
  ])('that %s stop', async (_what, pattern, replacement, loss) => {
    rename(pattern, replacement);

    expect(await changes()).toContainEqual(
      expect.stringMatching(new RegExp(`^stop: The deployment ${loss}\\w* \\(AWS::[\\w:]+\\)\\.$`)),
    );
  });

  test('that lose anything else are worth a warning', async () => {
    rename(/ListInventoryLogs/g, 'OldLogs');

    expect(await changes()).toEqual([
      expect.stringMatching(/^warning: The deployment deletes OldLogs\w+ \(AWS::Logs::LogGroup\)\.$/),
    ]);
  });

  const firstDeployment = `npx cdk deploy --no-rollback 'prod/*' --app ${assembly}`;
  test.each([
    ['UPDATE_IN_PROGRESS', 'Wait until it has finished.'],
    ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'Wait until it has finished.'],
    ['UPDATE_ROLLBACK_FAILED', `Roll it back: npx cdk rollback 'prod/*' --app ${assembly}`],
    ['UPDATE_FAILED', `Roll it back: npx cdk rollback 'prod/*' --app ${assembly}`],
    ['DELETE_FAILED', 'Repair it in the CloudFormation console.'],
  ])('stop while the stack is %s', async (status, remedy) => {
    deploy(aws, prod, status);

    expect(await changes()).toEqual([`stop: ${prodStack} is ${status}. ${remedy}`]);
  });

  test.each(['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'])(
    'are all new to a stack in %s',
    async (status) => {
      deploy(aws, '', status);

      const message = `${prodStack} is not deployed yet; all of it is new. First deployment: ${firstDeployment}`;
      expect(await changes()).toEqual([`ok: ${message}`]);
    },
  );

  test('go on with a first deployment that failed, unless that replaces something', async () => {
    const goOn = `ok: The first deployment of ${prodStack} failed halfway (CREATE_FAILED). Continue: ${firstDeployment}`;
    deploy(aws, prod, 'CREATE_FAILED');
    expect(await changes()).toEqual([goOn]);

    deploy(aws, JSON.stringify(prod).replaceAll('"petId"', '"id"'), 'CREATE_FAILED');
    expect(await changes()).toEqual([expect.stringMatching(/^stop: .* replaces InventoryTable/), goOn]);
  });
});

describe('bootstrap', () => {
  const command = 'npx cdk bootstrap aws://111122223333/eu-west-1';
  test.each([
    ['missing', jsonError('ParameterNotFound', ''), `The account and region are not prepared. Run: ${command}`],
    ['too old', { json: { Parameter: { Value: '5' } } }, `Version 5; 6 is needed. Run: ${command}`],
  ])('stops if it is %s', async (_what, reply, message) => {
    aws.replies.set('ssm GetParameter', reply);

    expect(await findingsOf(aws, 'bootstrap')).toEqual([`stop: ${message}`]);
  });
});

describe('API Gateway', () => {
  const account = (rateLimit: number, burstLimit: number, cloudwatchRoleArn?: string) =>
    aws.replies.set('apigateway GET /account', {
      json: { cloudwatchRoleArn, throttleSettings: { rateLimit, burstLimit } },
    });

  test('counts what each operation takes by itself', async () => {
    const app = assemblyWith(
      changedTemplate((template) => {
        onlyOne(template, 'AWS::ApiGateway::Stage').MethodSettings = [
          { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 2_000, ThrottlingBurstLimit: 4_000 },
          { HttpMethod: 'GET', ResourcePath: '/~1v1', ThrottlingRateLimit: 9, ThrottlingBurstLimit: 9 },
          { HttpMethod: 'GET', ResourcePath: '/~1v1~1inventory', ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
        ];
      }),
    );
    const taken =
      'The stage allows updateInventory 2000 requests a second and 4000 at once, listInventory 50 requests a second and 100 at once';

    account(2_050, 4_100);
    expect(await findingsOf(aws, 'API Gateway throttling', app)).toEqual([
      `ok: ${taken}; the account allows 2050 and 4100 for all its APIs.`,
    ]);
    account(2_049, 4_100);
    expect(await findingsOf(aws, 'API Gateway throttling', app)).toEqual([
      `warning: ${taken}; the account allows 2049 and 4100 for all its APIs, so clients get a 429 sooner.`,
    ]);
  });

  const own = `arn:aws:iam::111122223333:role/${prodStack}-ApiCloudWatchRole73EC6FC4-x`;
  test.each([
    [undefined, 'None yet', 'the first deployment of a stage sets its own.'],
    ['arn:aws:iam::111122223333:role/logs', undefined, 'the first deployment of a stage sets its own.'],
    [own, undefined, 'it belongs to this stage.'],
  ])('has one role for logs: %s', async (role, name = role, whose) => {
    account(10_000, 5_000, role);

    const message = `ok: ${name}. All APIs in the account and region share one log role; ${whose}`;
    expect(await findingsOf(aws, 'API Gateway log role')).toEqual([message]);
  });
});

describe('Lambda concurrency', () => {
  const quota = (ConcurrentExecutions: number, UnreservedConcurrentExecutions = ConcurrentExecutions) =>
    aws.replies.set('lambda GET /2016-08-19/account-settings', {
      json: { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } },
    });
  const reserving = (count: number) =>
    changedTemplate((template) => {
      const id = logicalId(template, 'AWS::Lambda::Function', 'ListInventory');
      (
        template.Resources[id] ?? { Properties: {} as Record<string, unknown> }
      ).Properties.ReservedConcurrentExecutions = count;
    });
  const more = 'sk for more: Service Quotas, Lambda, Concurrent executions.';

  test('below what the stage takes is worth a warning', async () => {
    quota(10);

    expect(await findingsOf(aws, 'Lambda concurrency')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^warning: 10 functions can run at once; the requests that the stage allows need about \\d+, so clients get a 5xx sooner. A${more}$`,
        ),
      ),
    ]);
  });

  test.each([
    ['leaves 100', 1_000, 1_000, undefined, 900, undefined],
    ['leaves 99', 1_000, 1_000, undefined, 901, "reserves 901 of the account's 1000 and would leave 99 unreserved"],
    ['has what it reserves already', 1_000, 100, 900, 900, undefined],
    [
      'reserves more than before',
      1_000,
      150,
      850,
      901,
      "reserves 901 of the account's 1000 and would leave 99 unreserved",
    ],
    ['is in a new account', 50, 50, undefined, 10, "reserves 10 of the account's 50 and would leave 40 unreserved"],
  ])('of a stage that %s', async (_what, all, unreserved, before, after, problem) => {
    quota(all, unreserved);
    if (before !== undefined) {
      deploy(aws, reserving(before));
    }

    const found = await findingsOf(aws, 'Lambda concurrency', assemblyWith(reserving(after)));
    const stop = `stop: The stage ${problem}; AWS requires 100. Reserve less, or a${more}`;
    expect(found).toEqual([problem === undefined ? expect.stringMatching(/^(ok|warning): /) : stop]);
  });
});

describe('leftover tables', () => {
  const left = `${prodStack}-InventoryTable48F1-1ABC`;
  const own = `${prodStack}-InventoryTable48F1-2DEF`;
  test.each(['UPDATE_COMPLETE', 'CREATE_FAILED'])('are those that a stack in %s does not have', async (status) => {
    aws.replies.set('dynamodb ListTables', { json: { TableNames: [left, own, 'another', `staging-${left}`] } });
    aws.resources.set(prodStack, { InventoryTable48F1: own });
    deploy(aws, prod, status);

    const command = (verb: string) => `aws dynamodb ${verb} --region eu-west-1 --table-name ${left}`;
    expect(await findingsOf(aws, 'leftover tables')).toEqual([
      `warning: ${left} belongs to no stack: a failed first deployment or a destroyed stage left it behind. To delete it, ` +
        `once its data is not needed: ${command('update-table --no-deletion-protection-enabled')} && ` +
        `${command('wait table-exists')} && ${command('delete-table')}`,
    ]);
  });

  test('are also what the first deployment would make anew', async () => {
    aws.replies.set('dynamodb ListTables', { json: { TableNames: [left, own] } });
    aws.resources.set(prodStack, { InventoryTable48F1: own });
    deploy(aws, prod, 'ROLLBACK_COMPLETE');

    expect(await findingsOf(aws, 'leftover tables')).toHaveLength(2);
  });
});

describe('alarm subscribers', () => {
  const withEmail = changedTemplate((template) => {
    template.Resources.AlarmEmail = { Type: 'AWS::SNS::Subscription', Properties: {} };
  });
  const nobody = 'so alarms notify nobody.';
  test.each([
    [1, 1, prod, 'ok: 1 confirmed.'],
    [0, 2, prod, `warning: None has confirmed, ${nobody} 2 got an e-mail with a link to confirm.`],
    [0, 0, prod, `warning: None, ${nobody} Set alarmEmail in infra/app.ts.`],
    [0, 0, withEmail, 'ok: The deployment adds one, who gets an e-mail with a link to confirm.'],
  ])('%i confirmed and %i pending', async (confirmed, pending, template, finding) => {
    aws.replies.set('sns GetTopicAttributes', topicAttributes(confirmed, pending));
    const topic = Object.keys(resourcesOf(prod, 'AWS::SNS::Topic'))[0] ?? '';
    aws.resources.set(prodStack, { [topic]: 'arn:aws:sns:eu-west-1:111122223333:topic' });
    deploy(aws, prod);

    expect(await findingsOf(aws, 'alarm subscribers', assemblyWith(template))).toEqual([finding]);
  });
});
