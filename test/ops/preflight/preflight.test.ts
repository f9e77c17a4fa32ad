import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clientSettings } from '../../../ops/stage/client-settings.ts';
import { assembly } from '../../support/assembly.ts';
import { jsonError, xmlError } from '../../support/aws-reply.ts';
import { type FakeAws, fakeAws } from '../../support/fake-aws.ts';
import { temporaryDirectory } from '../../support/local-run.ts';
import { ops } from '../../support/ops.ts';
import { assemblyIn, prodStack } from '../../support/preflight.ts';

const noSubscriber = 'None, so alarms notify nobody. Set alarmEmail in infra/app.ts.';
const help = 'Help: npx petstore preflight --help';

describe('petstore preflight', () => {
  let aws: FakeAws;
  beforeEach(async () => {
    aws = await fakeAws();
  });
  afterEach(() => aws.close());

  const preflight = (env: NodeJS.ProcessEnv = {}, ...options: string[]) =>
    ops(['preflight', '--stage', 'prod', '--app', assembly, ...options], { env: { ...aws.environment, ...env } });

  test('lets a first deployment pass, and only reads, with the role that is for reading', async () => {
    const { code, output, errors } = await preflight();

    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const firstDeployment = `npx cdk deploy --no-rollback 'prod/*' --app ${assembly}`;
    expect(
      output
        .split('\n')
        .filter((line) => !/^\w+ +(API Gateway|Lambda)/.test(line))
        .join('\n'),
    ).toBe(`\
ok       credentials: arn:aws:iam::111122223333:user/operator
ok       account and region: 111122223333 eu-west-1
ok       bootstrap: Version 31; 6 is needed.
ok       changes: ${prodStack} is not deployed yet; all of it is new. First deployment: ${firstDeployment}
ok       leftover tables: None.
warning  alarm subscribers: ${noSubscriber}
prod can be deployed.
`);
    expect(aws.calls.toSorted()).toEqual([
      'apigateway GET /account',
      `cloudformation DescribeStacks ${prodStack}`,
      'dynamodb ListTables',
      'lambda GET /2016-08-19/account-settings',
      'ssm GetParameter',
      'sts AssumeRole',
      'sts GetCallerIdentity',
    ]);
  });

  test('prints one JSON value with --json', async () => {
    aws.replies.set('ssm GetParameter', jsonError('ParameterNotFound', ''));
    const { code, output, errors } = await preflight({}, '--json');

    const message = 'The account and region are not prepared. Run: npx cdk bootstrap aws://111122223333/eu-west-1';
    expect(JSON.parse(output)).toContainEqual({ check: 'bootstrap', outcome: 'stop', message });
    const error = { code: 'failed', message: 'prod must not be deployed: 1 check says stop.', hint: null };
    expect(JSON.parse(errors)).toEqual({ error });
    expect(code).toBe(8);
  });

  test('expects nobody to wait for alarms of staging', async () => {
    const { code, output } = await preflight({}, '--stage', 'staging');

    expect(output).not.toContain('alarm');
    expect(output).toContain('\nstaging can be deployed.\n');
    expect(code).toBe(0);
  });

  test('reads with the operator itself where the role cannot be assumed', async () => {
    aws.replies.set('sts AssumeRole', xmlError('AccessDenied', 'not you'));

    expect((await preflight()).code).toBe(0);
  });

  test('says what it could not check, and stops if that is what would be lost', async () => {
    for (const call of ['apigateway GET /account', 'lambda GET /2016-08-19/account-settings', 'ssm GetParameter']) {
      aws.replies.set(call, jsonError('AccessDeniedException', 'not you'));
    }
    aws.replies.set('cloudformation DescribeStacks', xmlError('AccessDenied', 'nor that'));

    const { code, output } = await preflight();
    expect(output.split('\n').filter((line) => line.includes('Could not be checked'))).toEqual([
      'warning  bootstrap: Could not be checked. AccessDeniedException: not you',
      'warning  API Gateway account: Could not be checked. AccessDeniedException: not you',
      'warning  Lambda concurrency: Could not be checked. AccessDeniedException: not you',
      'stop     changes: Could not be checked. AccessDenied: nor that',
      'warning  leftover tables: Could not be checked. AccessDenied: nor that',
      'warning  alarm subscribers: Could not be checked. AccessDenied: nor that',
    ]);
    expect(code).toBe(8);
  });

  const stopped = { code: 8, errors: 'petstore: prod must not be deployed: 1 check says stop.\n' };
  const rejected = 'AWS does not accept the credentials.';
  test.each([
    ['region', { AWS_REGION: '' }, 'No region is set. Set AWS_REGION, or the region of the profile.'],
    [
      'credentials',
      { AWS_ACCESS_KEY_ID: '' },
      `${rejected} CredentialsProviderError: Could not load credentials from any providers`,
    ],
    ['credentials', { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }, `${rejected} .*connect ECONNREFUSED 127.0.0.1:9`],
  ])('stops without %s: %j', async (check, env, message) => {
    expect(await preflight(env)).toEqual({
      ...stopped,
      output: expect.stringMatching(new RegExp(`^stop     ${check}: ${message}\\n$`)),
    });
  });

  test('stops if AWS rejects the credentials', async () => {
    aws.replies.set('sts GetCallerIdentity', xmlError('InvalidClientTokenId', 'The security token is invalid.'));

    const { output } = await preflight();
    expect(output).toBe(`stop     credentials: ${rejected} InvalidClientTokenId: The security token is invalid.\n`);
  });

  test.each([
    ['AWS_DEFAULT_REGION', { AWS_DEFAULT_REGION: 'eu-north-1' }, 'eu-north-1'],
    ['the profile', {}, 'ap-south-1'],
  ])('takes the region from %s', async (_where, env, region) => {
    const file = join(mkdtempSync(join(temporaryDirectory, 'aws-')), 'config');
    writeFileSync(file, '[default]\nregion = ap-south-1\n');
    const settings = { AWS_REGION: undefined, AWS_CONFIG_FILE: file, ...env };

    const { code, output } = await preflight(settings);
    expect(output).toContain(`ok       account and region: 111122223333 ${region}\n`);
    expect(code).toBe(0);
  });

  test('waits for a silent AWS no longer than its clients do', async () => {
    const { requestHandler } = clientSettings;
    const { requestTimeout } = requestHandler;
    expect(requestTimeout).toBeLessThanOrEqual(10_000);
    requestHandler.requestTimeout = 300;
    aws.silent = /^(?!sts)/;
    try {
      const { code, output } = await preflight({ AWS_MAX_ATTEMPTS: '1' });

      expect(output.match(/^\w+ +(?=.*: Could not be checked\. TimeoutError)/gm)).toHaveLength(6);
      aws.silent = /./;
      expect((await preflight({ AWS_MAX_ATTEMPTS: '1' })).output).toContain(`${rejected} TimeoutError`);
      expect(code).toBe(8);
    } finally {
      requestHandler.requestTimeout = requestTimeout;
    }
  });

  test('ends at Ctrl-C', async () => {
    aws.silent = /./;
    const [controller, settings] = [new AbortController(), { ...aws.environment }];
    const ending = ops(['preflight', '--stage', 'prod', '--app', assembly], {
      env: settings,
      signal: controller.signal,
    });
    while (aws.calls.length === 0) {
      await setImmediate();
    }
    controller.abort();

    expect(await ending).toEqual({ code: 130, output: '', errors: 'petstore: Interrupted.\n' });
  });

  test('stops a stage that is tied to another region', async () => {
    const tied = assemblyIn('unknown-account/us-east-1');

    const { code, output } = await preflight({}, '--app', tied);
    const message = 'The stage is tied to us-east-1, but these credentials are for 111122223333 eu-west-1.';
    expect(output).toContain(`stop     account and region: ${message}\n`);
    expect(code).toBe(8);
  });

  test.each([
    [[], "required option '--stage <stage>' not specified"],
    [
      ['--stage', 'production'],
      "option '--stage <stage>' argument 'production' is invalid. Allowed choices are staging, prod.",
    ],
    [['--stage', 'prod', '--nonsense'], "unknown option '--nonsense'"],
  ])('rejects %j as wrong usage, whatever PETSTORE_STAGE says', async (options, reason) => {
    const env = { ...aws.environment, PETSTORE_STAGE: 'staging' };

    const errors = `petstore: ${reason}\n${help}\n`;
    expect(await ops(['preflight', ...options], { env })).toEqual({ code: 2, output: '', errors });
    expect(aws.calls).toEqual([]);
  });

  test('says where there is no assembly', async () => {
    const errors = 'petstore: /nowhere holds no synthesized stage prod. npx cdk synth writes one.\n';
    expect(await preflight({}, '--app', '/nowhere')).toEqual({ code: 3, output: '', errors });
  });
});
