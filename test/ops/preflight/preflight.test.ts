import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readSynthesizedStack } from '../../../ops/preflight/assembly.ts';
import { assembly } from '../../support/assembly.ts';
import { runCommand, temporaryDirectory } from '../../support/command.ts';
import { type FakeAws, fakeAws, jsonError, xmlError } from '../../support/fake-aws.ts';

const stackName = 'prod-petstore-inventory';
const identified = `\
ok       credentials: arn:aws:iam::111122223333:user/operator
ok       account and region: 111122223333 eu-west-1
`;
const bootstrapped = 'ok       bootstrap: Version 31, and 6 is needed.\n';
const roomy = `\
ok       API Gateway log role: arn:aws:iam::111122223333:role/logs; the stack sets its own, for every API of the account and region.
ok       API Gateway throttling: The stage takes 2000 requests a second and 4000 at once; the account 10000 and 5000 for all its APIs.
ok       Lambda concurrency: 1000 functions can run at once; 2000 requests a second need about 100.
`;

describe('npm run preflight', () => {
  const directory = temporaryDirectory();
  let template: string;
  let counted: string;
  let aws: FakeAws;
  beforeAll(() => {
    const stack = readSynthesizedStack(assembly, 'prod').template;
    template = JSON.stringify(stack);
    counted = `ok       CloudFormation resources: ${Object.keys(stack.Resources).length} of 500 that a stack may have.\n`;
  });
  beforeEach(async () => {
    aws = await fakeAws();
  });
  afterEach(() => aws.close());

  const preflight = (environment: Record<string, string> = {}, ...options: string[]) =>
    runCommand('preflight/preflight', ['--stage', 'prod', '--app', assembly, ...options], {
      ...aws.environment,
      ...environment,
    });
  const passes = (output: string) => ({ code: 0, output: `${output}preflight: prod can be deployed.\n`, errors: '' });
  const stops = (output: string) => ({
    code: 1,
    output: `${output}preflight: prod must not be deployed.\n`,
    errors: '',
  });
  const deployed = (body: string, status = 'UPDATE_COMPLETE') => aws.stacks.set(stackName, { status, template: body });
  const isNew = `ok       changes: ${stackName} is not deployed yet; all of it is new.\n`;

  test('lets a first deployment pass, and only reads, with the role that is for reading', async () => {
    expect(await preflight()).toEqual(passes(identified + bootstrapped + roomy + isNew + counted));
    expect(aws.calls.toSorted()).toEqual([
      'apigateway GET /account',
      `cloudformation DescribeStacks ${stackName}`,
      'lambda GET /2016-08-19/account-settings',
      'ssm GetParameter',
      'sts AssumeRole',
      'sts GetCallerIdentity',
    ]);
  });

  test('synthesizes by itself what it is not given', async () => {
    const { code, output } = await runCommand('preflight/preflight', ['--stage', 'staging'], aws.environment);

    expect(code).toBe(0);
    expect(output).toContain('changes: staging-petstore-inventory is not deployed yet; all of it is new.');
  });

  test('reads with the operator itself where the role cannot be had', async () => {
    aws.replies.set('sts AssumeRole', xmlError('AccessDenied', 'not you'));

    expect(await preflight()).toEqual(passes(identified + bootstrapped + roomy + isNew + counted));
  });

  test('lets new code pass', async () => {
    const { Resources } = JSON.parse(template);
    const version = Object.keys(Resources).find((id) => Resources[id].Type === 'AWS::Lambda::Version') ?? '';
    deployed(template.replaceAll(version, `${version.slice(0, -4)}0000`));

    const { code, output } = await preflight();
    expect(code).toBe(0);
    expect(output).toMatch(
      /^ok {7}changes: [1-9]\d* of the resources of .* change; none but old versions would be lost\.$/m,
    );
  });

  test.each([
    ['gives a table another key', /"petId"/g, '"id"', 'replaces InventoryTable'],
    ['renames a table', /InventoryTable(?=[0-9A-F]{8})/g, 'OldTable', 'abandons OldTable'],
    ['renames the API', /\bApi(?=[0-9A-F]{8}")/g, 'OldApi', 'deletes OldApi'],
    ['renames the stage', /ApiDeploymentStagep/g, 'OldStagep', 'deletes OldStage'],
  ])('stops what %s', async (_what, pattern, replacement, loss) => {
    const old = template.replace(pattern, replacement);
    expect(old).not.toBe(template);
    deployed(old);

    const { code, output } = await preflight();
    expect(output).toMatch(new RegExp(`^stop {5}changes: The deployment ${loss}\\w* \\(AWS::`, 'm'));
    expect(code).toBe(1);
  });

  test('warns of the loss of anything else', async () => {
    deployed(template.replaceAll('ListInventoryLogs', 'OldLogs'));

    const { code, output } = await preflight();
    expect(output).toMatch(/^warning {2}changes: The deployment deletes OldLogs\w+ \(AWS::Logs::LogGroup\)\.$/m);
    expect(code).toBe(0);
  });

  test.each(['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'UPDATE_ROLLBACK_FAILED'])(
    'stops while the stack is %s',
    async (status) => {
      deployed(template, status);
      const wait = 'Wait until it is done, or repair it in the CloudFormation console.';
      const finding = `stop     changes: ${stackName} is ${status}. ${wait}\n`;

      expect(await preflight()).toEqual(stops(identified + bootstrapped + roomy + finding + counted));
    },
  );

  const bootstrap = 'npx cdk bootstrap aws://111122223333/eu-west-1';
  test.each([
    ['missing', jsonError('ParameterNotFound', ''), `The account and region are not prepared: ${bootstrap}`],
    ['too old', { json: { Parameter: { Value: '5' } } }, `Version 5, and 6 is needed: ${bootstrap}`],
  ])('stops if the bootstrap stack is %s', async (_what, reply, message) => {
    aws.replies.set('ssm GetParameter', reply);
    const finding = `stop     bootstrap: ${message}\n`;

    expect(await preflight()).toEqual(stops(identified + finding + roomy + isNew + counted));
  });

  test('warns of quotas below what the stage takes', async () => {
    aws.replies.set('apigateway GET /account', { json: { throttleSettings: { rateLimit: 2_500, burstLimit: 1_250 } } });
    const AccountLimit = { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 };
    aws.replies.set('lambda GET /2016-08-19/account-settings', { json: { AccountLimit } });

    expect(await preflight()).toEqual(
      passes(`${identified}${bootstrapped}\
ok       API Gateway log role: None yet; the stack sets one, for every API of the account and region.
warning  API Gateway throttling: The stage takes 2000 requests a second and 4000 at once; the account 2500 and 1250 for all its APIs, so clients get a 429 sooner.
warning  Lambda concurrency: 10 functions can run at once; 2000 requests a second need about 100, so clients get a 5xx sooner. Ask for more: Service Quotas, Lambda, Concurrent executions.
${isNew}${counted}`),
    );
  });

  test('says what it could not check, and stops if that is what would be lost', async () => {
    aws.replies.set('lambda GET /2016-08-19/account-settings', jsonError('AccessDeniedException', 'not you'));
    aws.replies.set('cloudformation DescribeStacks', xmlError('AccessDenied', 'nor that'));

    const { code, output } = await preflight();
    expect(output).toContain('warning  Lambda concurrency: Could not be checked. AccessDeniedException: not you\n');
    expect(output).toContain('stop     changes: Could not be checked. AccessDenied: nor that\n');
    expect(code).toBe(1);
  });

  test.each([
    ['region', { AWS_REGION: '' }, 'No region is set. Set AWS_REGION, or the region of the profile.'],
    [
      'credentials',
      { AWS_ACCESS_KEY_ID: '' },
      'AWS takes no credentials from here. CredentialsProviderError: Could not load credentials from any providers',
    ],
    [
      'credentials',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
      'AWS takes no credentials from here. connect ECONNREFUSED 127.0.0.1:9',
    ],
  ])('stops without %s: %j', async (check, environment, message) => {
    expect(await preflight(environment)).toEqual(stops(`stop     ${check}: ${message}\n${counted}`));
  });

  test('stops if AWS refuses the credentials', async () => {
    aws.replies.set('sts GetCallerIdentity', xmlError('InvalidClientTokenId', 'The security token is invalid.'));
    const message = 'AWS takes no credentials from here. InvalidClientTokenId: The security token is invalid.';

    expect(await preflight()).toEqual(stops(`stop     credentials: ${message}\n${counted}`));
  });

  test('stops a stage that is tied to another region', async () => {
    const tied = join(directory, 'tied');
    cpSync(assembly, tied, { recursive: true });
    const manifest = join(tied, 'assembly-prod/manifest.json');
    const text = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, text.replace('unknown-account/unknown-region', 'unknown-account/us-east-1'));

    const { code, output } = await preflight({}, '--app', tied);
    const message = 'The stage is tied to us-east-1, and these credentials are for 111122223333 eu-west-1.';
    expect(output).toContain(`stop     account and region: ${message}\n`);
    expect(code).toBe(1);
  });

  test('answers with --json in JSON', async () => {
    const { code, output } = await preflight({}, '--json');

    expect(JSON.parse(output)[0]).toEqual({
      check: 'credentials',
      outcome: 'ok',
      message: 'arn:aws:iam::111122223333:user/operator',
    });
    expect(code).toBe(0);
  });

  test.each([
    [[], '--stage must be staging or prod.'],
    [['--stage', 'production'], '--stage must be staging or prod, not "production".'],
    [['--nonsense'], "Unknown option '--nonsense'. See npm run preflight -- --help."],
    [['--stage', 'prod', '--app', '/nowhere'], '/nowhere holds no synthesized stage prod. npx cdk synth writes one.'],
  ])('refuses %j in one line', async (options, reason) => {
    expect(await runCommand('preflight/preflight', options)).toEqual({
      code: 1,
      output: '',
      errors: `preflight: ${reason}\n`,
    });
  });
});
