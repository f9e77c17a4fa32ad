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
const stopped = { code: 8, errors: 'petstore: prod must not be deployed: 1 check says stop.\n' };

test('preflight allows a first deployment, and only reads from AWS, with the lookup role of the CDK', async () => {
  const aws = await fakeAws();
  const { code, output, errors } = await preflight(aws);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output.replace(/^ok {7}API Gateway .*\n/gm, '')).toBe(`\
ok       credentials: arn:aws:iam::111122223333:user/operator
ok       account and region: 111122223333 eu-west-1
ok       bootstrap: Version 31; 23 is needed.
ok       Lambda concurrency: 1000 functions can run at once; the requests that the stage allows need about 103.
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

test('preflight reads as the operator if it cannot assume the lookup role, and checks no alarm subscribers for staging', async () => {
  const aws = await fakeAws({ 'sts AssumeRole': awsError('AccessDenied', 'not you') });
  const { code, output } = await preflight(aws, ['--stage', 'staging']);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/\nstaging can be deployed\.\n$/),
  });
  expect(output).not.toContain('alarm');
});

test('preflight reports each check that times out, and stops if the check of the changes or the credentials is one of them', async () => {
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
    'stop     changes',
    'warning  leftover tables',
    'warning  alarm subscribers',
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

test.each<[place: string, NodeJS.ProcessEnv, outcome: string, finding: string]>([
  [anywhere, ofProfile, 'ok     ', `${account} ap-south-1`],
  [
    anywhere,
    { ...ofProfile, AWS_DEFAULT_REGION: 'eu-north-1' },
    'ok     ',
    `${account} eu-north-1`,
  ],
  [`${account}/eu-west-1`, {}, 'ok     ', `${account} eu-west-1`],
  ['unknown-account/us-east-1', {}, 'stop   ', tiedTo('us-east-1')],
  ['444455556666/eu-west-1', {}, 'stop   ', tiedTo('444455556666 eu-west-1')],
])(
  'preflight checks whether a stage tied to %s can be deployed with %j',
  async (place, env, outcome, finding) => {
    const { code, output } = await preflight(
      await fakeAws(),
      ['--app', assemblyWith(templates.prod, place)],
      { env },
    );
    expect(output.match(/^.* account and region: .*$/gm)).toEqual([
      `${outcome}  account and region: ${finding}`,
    ]);
    expect([code, output.includes('can be deployed')]).toEqual(
      outcome === 'stop   ' ? [8, false] : [0, true],
    );
  },
);
