import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { clientSettings } from '../../../ops/stage/client-settings.ts';
import { temporaryDirectory } from '../../support/local/local-run.ts';
import { awsError, type FakeAws, fakeAws } from '../../support/ops/fake-aws.ts';
import { type OpsOptions, ops } from '../../support/ops/ops.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { assemblyWith, templates } from '../../support/stack/synthesized.ts';

afterEach(() => void jest.restoreAllMocks());

/** Runs the preflight of prod, which is not deployed yet. */
const preflight = (aws: FakeAws, options: string[] = [], { env, ...settings }: OpsOptions = {}) => {
  const words = ['preflight', '--stage', 'prod', '--app', assembly, ...options];
  return ops(words, { env: { ...aws.environment, ...env }, ...settings });
};

/** What preflight says of a prod without an env. */
const nothingTies = (region: string) =>
  `111122223333 ${region}. Nothing ties prod to these, so a wrong profile would deploy it ` +
  'elsewhere. In infra/settings/stages.ts, give it ' +
  `env: { account: '111122223333', region: '${region}' }`;

const stopped = { code: 8, errors: 'petstore: prod must not be deployed: 1 check says stop.\n' };

test('preflight only reads from AWS, with the lookup role of the CDK', async () => {
  const aws = await fakeAws();
  const { code, output, errors } = await preflight(aws);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const ofLimits = /^ok {7}(API Gateway|Lambda|list) .*\n/gm;
  expect(output.replace(ofLimits, '')).toBe(`\
ok       credentials: arn:aws:iam::111122223333:user/operator
warning  account and region: ${nothingTies('eu-west-1')}
ok       bootstrap: Version 31; 23 is needed.
ok       changes: prod-petstore-inventory is not deployed yet; all of it is new. First deployment: \
npx cdk deploy --no-rollback 'prod/*' --app ${assembly}
ok       leftover tables: None.
warning  alarm subscribers: None, so alarms notify nobody. \
Set alarmEmail in infra/settings/stages.ts.
ok       Faults alarm: There is none yet.
prod can be deployed.
`);
  expect(aws.calls.toSorted()).toEqual([
    'AKIA sts AssumeRole',
    'AKIA sts GetCallerIdentity',
    'ASIA apigateway GET /account',
    'ASIA cloudformation DescribeStacks prod-petstore-inventory',
    'ASIA dynamodb ListTables',
    'ASIA lambda GET /2016-08-19/account-settings',
    'ASIA lambda GET /2016-08-19/account-settings',
    'ASIA ssm GetParameter',
  ]);
});

test('preflight reads as the operator if it cannot assume the lookup role', async () => {
  const aws = await fakeAws({ 'sts AssumeRole': awsError('AccessDenied', 'not you') });
  const { code, output } = await preflight(aws, ['--stage', 'staging']);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/\nstaging can be deployed\.\n$/),
  });
  expect(output).not.toContain('alarm');
});

test('preflight reports each check that times out, and stops at some of them', async () => {
  expect(clientSettings.requestHandler.requestTimeout).toBeLessThanOrEqual(10_000);
  jest.replaceProperty(clientSettings.requestHandler, 'requestTimeout', 300);
  const env = { AWS_MAX_ATTEMPTS: '1' };
  const aws = await fakeAws();
  aws.silent = /^(?!sts)/;
  const { output, ...end } = await preflight(aws, [], { env });
  expect(output.match(/^.*(?=: Could not be checked\. TimeoutError: )/gm)).toEqual([
    'warning  bootstrap',
    'warning  API Gateway account',
    'warning  Lambda concurrency',
    'warning  lists',
    'stop     changes',
    'warning  leftover tables',
    'warning  alarm subscribers',
    'warning  Faults alarm',
  ]);
  expect(end).toEqual(stopped);
  aws.silent = /./;
  expect((await preflight(aws, [], { env })).output).toContain(
    'AWS does not accept the credentials. TimeoutError',
  );
});

test('preflight ends on Ctrl-C', async () => {
  const aws = await fakeAws();
  aws.silent = /./;
  const controller = new AbortController();
  const ending = preflight(aws, [], { signal: controller.signal });
  while (aws.calls.length === 0) {
    await setImmediate();
  }
  controller.abort();
  expect(await ending).toEqual({ code: 130, output: '', errors: 'petstore: Interrupted.\n' });
});

const rejected = 'credentials: AWS does not accept the credentials. ';
test.each<[NodeJS.ProcessEnv, string]>([
  [{ AWS_REGION: '' }, 'region: No region is set. Set AWS_REGION, or the region of the profile.'],
  [
    { AWS_ACCESS_KEY_ID: '' },
    `${rejected}CredentialsProviderError: Could not load credentials from any providers`,
  ],
  [{ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }, `${rejected}.*connect ECONNREFUSED 127.0.0.1:9`],
  [{}, `${rejected}InvalidClientTokenId: The security token is invalid.`],
])('preflight stops if AWS cannot be used with %j', async (env, message) => {
  const invalid = awsError('InvalidClientTokenId', 'The security token is invalid.');
  const aws = await fakeAws({ 'sts GetCallerIdentity': invalid });
  const output = expect.stringMatching(new RegExp(`^stop     ${message}\\n$`));
  expect(await preflight(aws, [], { env })).toEqual({ ...stopped, output });
});

const profile = join(temporaryDirectory, 'aws-config');
writeFileSync(profile, '[default]\nregion = ap-south-1\n');
const ofProfile = { AWS_REGION: undefined, AWS_CONFIG_FILE: profile };
const [anywhere, account] = ['unknown-account/unknown-region', '111122223333'];
const others = `but these credentials are for ${account} eu-west-1. Set AWS_PROFILE or AWS_REGION.`;
const tiedTo = (place: string) => `The stage is tied to ${place}, ${others}`;

test.each<{ place: string; env?: NodeJS.ProcessEnv; isStop?: boolean; finding: string }>([
  {
    place: anywhere,
    env: ofProfile,
    finding: `warning  account and region: ${nothingTies('ap-south-1')}`,
  },
  {
    place: anywhere,
    env: { ...ofProfile, AWS_DEFAULT_REGION: 'eu-north-1' },
    finding: `warning  account and region: ${nothingTies('eu-north-1')}`,
  },
  {
    place: 'unknown-account/eu-west-1',
    finding: `warning  account and region: ${nothingTies('eu-west-1')}`,
  },
  {
    place: `${account}/unknown-region`,
    finding: `warning  account and region: ${nothingTies('eu-west-1')}`,
  },
  {
    place: `${account}/eu-west-1`,
    finding: `ok       account and region: ${account} eu-west-1`,
  },
  {
    place: 'unknown-account/us-east-1',
    isStop: true,
    finding: `stop     account and region: ${tiedTo('us-east-1')}`,
  },
  {
    place: '444455556666/eu-west-1',
    isStop: true,
    finding: `stop     account and region: ${tiedTo('444455556666 eu-west-1')}`,
  },
])('preflight checks a prod tied to $place, with $env', async (row) => {
  const { place, env = {}, isStop = false, finding } = row;
  const app = assemblyWith(templates.prod, place);
  const { code, output } = await preflight(await fakeAws(), ['--app', app], { env });
  expect(output.match(/^.* account and region: .*$/gm)).toEqual([finding]);
  expect(code).toBe(isStop ? 8 : 0);
  expect(output.includes('can be deployed')).toBe(!isStop);
});

test('preflight does not ask for an env of staging', async () => {
  const { output } = await preflight(await fakeAws(), ['--stage', 'staging']);
  expect(output).toContain(`ok       account and region: ${account} eu-west-1\n`);
});
