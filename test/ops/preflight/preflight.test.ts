import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clientSettings } from '../../../ops/stage/client-settings.ts';
import { assembly } from '../../support/assembly.ts';
import { awsError, type FakeAws, fakeAws } from '../../support/fake-aws.ts';
import { temporaryDirectory } from '../../support/local-run.ts';
import { type OpsOptions, ops } from '../../support/ops.ts';
import { assemblyWith, templates } from '../../support/synthesized.ts';

describe('petstore preflight', () => {
  let aws: FakeAws;
  beforeEach(async () => {
    aws = await fakeAws();
  });
  afterEach(() => void jest.restoreAllMocks());

  const preflight = (options: string[] = [], { env, ...settings }: OpsOptions = {}) => {
    const words = ['preflight', '--stage', 'prod', '--app', assembly, ...options];
    return ops(words, { env: { ...aws.environment, ...env }, ...settings });
  };
  const stopped = { code: 8, errors: 'petstore: prod must not be deployed: 1 check says stop.\n' };

  test('lets a first deployment pass, and only reads, with the role that is for reading', async () => {
    const { code, output, errors } = await preflight();

    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output.replace(/^\w+ +(API Gateway|Lambda).*\n/gm, '')).toBe(`\
ok       credentials: arn:aws:iam::111122223333:user/operator
ok       account and region: 111122223333 eu-west-1
ok       bootstrap: Version 31; 6 is needed.
ok       changes: prod-petstore-inventory is not deployed yet; all of it is new. First deployment: \
npx cdk deploy --no-rollback 'prod/*' --app ${assembly}
ok       leftover tables: None.
warning  alarm subscribers: None, so alarms notify nobody. Set alarmEmail in infra/app.ts.
prod can be deployed.
`);
    expect(aws.calls.toSorted()).toEqual([
      'AKIA sts AssumeRole',
      'AKIA sts GetCallerIdentity',
      'ASIA apigateway GET /account',
      'ASIA cloudformation DescribeStacks prod-petstore-inventory',
      'ASIA dynamodb ListTables',
      'ASIA lambda GET /2016-08-19/account-settings',
      'ASIA ssm GetParameter',
    ]);
  });

  test('reads as the operator where the role cannot be assumed, and expects nobody to wait for alarms of staging', async () => {
    aws.replies.set('sts AssumeRole', awsError('AccessDenied', 'not you'));
    const { code, output } = await preflight(['--stage', 'staging']);

    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/\nstaging can be deployed\.\n$/) });
    expect(output).not.toContain('alarm');
  });

  test('says what it could not check, and stops if that is what would be lost', async () => {
    for (const call of ['apigateway GET /account', 'lambda GET /2016-08-19/account-settings', 'ssm GetParameter']) {
      aws.replies.set(call, awsError('AccessDenied', 'not you'));
    }
    aws.replies.set('cloudformation DescribeStacks', awsError('AccessDenied', 'not you'));

    const { output, ...end } = await preflight();
    expect(output.match(/^.*(?=: Could not be checked\. AccessDenied: not you$)/gm)).toEqual([
      'warning  bootstrap',
      'warning  API Gateway account',
      'warning  Lambda concurrency',
      'stop     changes',
      'warning  leftover tables',
      'warning  alarm subscribers',
    ]);
    expect(end).toEqual(stopped);
  });

  test('waits for a silent AWS no longer than its clients do', async () => {
    expect(clientSettings.requestHandler.requestTimeout).toBeLessThanOrEqual(10_000);
    jest.replaceProperty(clientSettings.requestHandler, 'requestTimeout', 300);
    const env = { AWS_MAX_ATTEMPTS: '1' };
    aws.silent = /^(?!sts)/;
    expect((await preflight([], { env })).output.match(/: Could not be checked\. TimeoutError/g)).toHaveLength(6);
    aws.silent = /./;
    expect((await preflight([], { env })).output).toContain('AWS does not accept the credentials. TimeoutError');
  });

  test('ends at Ctrl-C', async () => {
    aws.silent = /./;
    const controller = new AbortController();
    const ending = preflight([], { signal: controller.signal });
    while (aws.calls.length === 0) {
      await setImmediate();
    }
    controller.abort();

    expect(await ending).toEqual({ code: 130, output: '', errors: 'petstore: Interrupted.\n' });
  });

  const rejected = 'credentials: AWS does not accept the credentials. ';
  test.each<[NodeJS.ProcessEnv, string]>([
    [{ AWS_REGION: '' }, 'region: No region is set. Set AWS_REGION, or the region of the profile.'],
    [{ AWS_ACCESS_KEY_ID: '' }, `${rejected}CredentialsProviderError: Could not load credentials from any providers`],
    [{ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }, `${rejected}.*connect ECONNREFUSED 127.0.0.1:9`],
    [{}, `${rejected}InvalidClientTokenId: The security token is invalid.`],
  ])('stops with %j if AWS lets nobody in', async (env, message) => {
    aws.replies.set('sts GetCallerIdentity', awsError('InvalidClientTokenId', 'The security token is invalid.'));

    const output = expect.stringMatching(new RegExp(`^stop     ${message}\\n$`));
    expect(await preflight([], { env })).toEqual({ ...stopped, output });
  });

  test.each([
    ['AWS_DEFAULT_REGION', { AWS_DEFAULT_REGION: 'eu-north-1' }, 'eu-north-1'],
    ['the profile', {}, 'ap-south-1'],
  ])('takes the region from %s', async (_where, region, name) => {
    const file = join(temporaryDirectory, 'aws-config');
    writeFileSync(file, '[default]\nregion = ap-south-1\n');
    const env = { AWS_REGION: undefined, AWS_CONFIG_FILE: file, ...region };

    const { code, output } = await preflight([], { env });
    expect(output).toContain(`ok       account and region: 111122223333 ${name}\n`);
    expect(code).toBe(0);
  });

  const tied = (place: string) =>
    `The stage is tied to ${place}, but these credentials are for 111122223333 eu-west-1.`;
  test.each([
    ['111122223333/eu-west-1', 'ok       account and region: 111122223333 eu-west-1'],
    ['unknown-account/us-east-1', `stop     account and region: ${tied('us-east-1')}`],
    ['444455556666/eu-west-1', `stop     account and region: ${tied('444455556666 eu-west-1')}`],
  ])('looks whether a stage that is tied to %s can be deployed', async (place, finding) => {
    const { output } = await preflight(['--app', assemblyWith(templates.prod, place)]);

    expect(output.match(/^.* account and region: .*$/gm)).toEqual([finding]);
    expect(output.includes('can be deployed')).toBe(finding.startsWith('ok'));
  });

  test('takes no stage from PETSTORE_STAGE', async () => {
    const errors = "petstore: required option '--stage <stage>' not specified\nHelp: npx petstore preflight --help\n";
    const env = { ...aws.environment, PETSTORE_STAGE: 'staging' };
    expect(await ops(['preflight'], { env })).toEqual({ code: 2, output: '', errors });
  });
});
