import { once } from 'node:events';
import { afterEach, expect, jest, test } from '@jest/globals';
import { localRun } from '../../support/local/local-run.ts';
import { awsAround, awsError } from '../../support/ops/fake-aws.ts';
import { ops, spawnOps } from '../../support/ops/ops.ts';
import { fileWith } from '../../support/ops/ops-stage.ts';
import { ended } from '../../support/process/tools.ts';

const run = await localRun();
const aws = await awsAround(run);
const { port } = new URL(run.baseUrl);

afterEach(() => void jest.useRealTimers());

const opsOn = (target: string, line: string, env: NodeJS.ProcessEnv = {}) =>
  ops(`${line} ${target}`.trim().split(' '), { env: { ...aws.environment, ...env } });

const local = `Stage: staging of the local run at ${run.baseUrl}, account 000000000000\n`;
const deployed = (stage: string) => `Stage: ${stage} in account 111122223333, us-east-1\n`;
const nowhere = 'petstore: Choose a target: --stage staging, --stage prod or --local.\n';
const wrong =
  'petstore: PETSTORE_STAGE must be staging or local, not "prod". For prod, use --stage prod.\n';
const notFor = (option: string, stage: string) =>
  `petstore: ${option} is for the local run, and cannot be used with --stage ${stage}.\n`;

test.each<[stage: string | undefined, target: string, code: number, errors: string]>([
  ['staging', '', 0, deployed('staging')],
  ['local', '', 0, local],
  ['staging', '--port PORT', 0, local],
  ['staging', '--local', 0, local],
  ['staging', '--stage local', 0, local],
  ['staging', '--stage local --port PORT', 0, local],
  ['staging', '--stage local --local', 0, local],
  ['', '', 2, nowhere],
  [undefined, '', 2, nowhere],
  ['prod', '', 2, wrong],
  ['local', '--stage prod', 0, deployed('prod')],
  ['prod', '--stage staging', 0, deployed('staging')],
  ['', '--local --stage prod', 2, notFor('--local', 'prod')],
  ['', '--port PORT --stage staging', 2, notFor('--port', 'staging')],
])(
  'with PETSTORE_STAGE=%s, keys list %s chooses its target',
  async (PETSTORE_STAGE, target, code, errors) => {
    const listed = await opsOn(target.replace('PORT', port), 'keys list', { PETSTORE_STAGE });
    expect([listed.code, listed.errors]).toEqual([code, errors]);
  },
);

test('--local names a port at which nothing runs', async () => {
  expect(await opsOn('--local --port 1', 'keys list')).toEqual({
    code: 6,
    output: '',
    errors:
      'petstore: There is no local run on port 1.\n' +
      'Start one: npx --no -- petstore start --port 1\n',
  });
});

test('--local lists the choices if there are several runs that work', async () => {
  const other = await localRun('--stage', 'prod');
  const choices = [`--port ${port} (staging)`, `--port ${new URL(other.baseUrl).port} (prod)`];
  const { code, errors } = await opsOn('--local', 'keys list');
  const [message, hint = ''] = errors.trimEnd().split('\n');
  expect({ code, message }).toEqual({
    code: 6,
    message: 'petstore: There are several local runs.',
  });
  expect(hint.replace('Choose one: ', '').split(', ').sort()).toEqual(choices.sort());
  expect(await opsOn(`--local --port ${port}`, 'keys list')).toMatchObject({ errors: local });

  other.process.kill('SIGKILL');
  await once(other.process, 'exit');
  expect(await opsOn('--local', 'keys list')).toMatchObject({ code: 0, errors: local });
});

const statusFor = async (key: string) => {
  const headers = { Authorization: `Bearer ${key}` };
  return (await run.send({ path: '/inventory', headers })).status;
};

test.each(['--local', '--stage staging'])('%s finds the inventory', async (target) => {
  const entries = (text: string) => text.match(/\{.*?\}/g)?.sort();
  const stock = await run.send({ path: '/inventory' });
  const exported = await opsOn(target, 'inventory export --json');
  expect(entries(exported.output)).toEqual(entries(stock.text));
});

test.each(['--local', '--stage staging'])(
  'a key that is issued with %s works until it is revoked with --now',
  async (target) => {
    const issued = await opsOn(target, 'keys create --name shop --json');
    const { id, key } = JSON.parse(issued.output);
    expect(await statusFor(key)).toBe(200);

    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
    const untilChecksEnd = 10_000;
    const revoked = await ops(['keys', 'revoke', id, '--now', ...target.split(' ')], {
      env: aws.environment,
      when: { printed: /once more/, react: () => jest.advanceTimersByTime(untilChecksEnd) },
    });
    jest.useRealTimers();
    expect(revoked.output).toMatch(/ and has stopped working\.\n$/);
    expect(await statusFor(key)).toBe(401);
  },
);

test.each([
  ['keys create --name x', 'Issue a key named "x" for prod?'],
  ['keys update ID --expires 99d', 'Let key ID ("kept") of prod work longer?'],
  [
    'keys revoke ID',
    'Revoke key ID ("kept") of prod? The saved query use-of-keys shows who uses it.',
  ],
  ['keys rotate ID --overlap 1h', 'Rotate key ID ("kept") of prod?'],
  ['inventory import FILE', 'Create 1 and replace 0 entries in prod?'],
  ['inventory set 1 7', 'Set the quantity of petId 1 of prod to 7?'],
  ['inventory set-status 1 sold', 'Set the status of petId 1 of prod to sold?'],
  ['inventory remove 1', 'Remove {"petId":1,"quantity":12,"status":"available"} from prod?'],
])('petstore asks for confirmation before %s on prod', async (command, question) => {
  const onProd = (line: string) => opsOn('--stage prod', line);
  const { id } = JSON.parse(
    (await onProd('keys create --name kept --expires 9d --yes --json')).output,
  );
  const file = fileWith('{"petId":5,"quantity":1,"status":"sold"}');
  const state = async () => [
    (await onProd('inventory export')).output,
    (await onProd('keys list')).output,
  ];
  const before = await state();
  const needed = `petstore: This needs a confirmation: ${question.replace('ID', id)}\n`;
  const refusal = `${needed}There is no terminal to ask on. Confirm with --yes.\n`;
  const refused = { code: 7, output: '', errors: expect.stringContaining(refusal) };
  expect(await onProd(command.replace('FILE', file).replace('ID', id))).toEqual(refused);
  expect(await state()).toEqual(before);
});

test('a question about the local run names the local run', async () => {
  const { errors } = await opsOn('--local', 'inventory remove 1');
  expect(errors).toContain(
    'Remove {"petId":1,"quantity":12,"status":"available"} from the local run?\n',
  );
});

const where = 'in account 111122223333, us-east-1';
const hasNo = `The stack of staging ${where} has no output InventoryTableName: it `;
const preflight = 'See what to do: npx --no -- petstore preflight --stage staging';
const deployThis = "Deploy this one: npx cdk deploy 'staging/*'";
const older = 'was deployed from an older version.';

const withStacks = (ofStack: object) =>
  awsAround(run, { 'cloudformation DescribeStacks': ofStack });

test('a stage that is not deployed is an error that says how to deploy it', async () => {
  const { environment } = await withStacks(
    awsError('ValidationError', 'Stack with id staging-petstore-inventory does not exist'),
  );
  expect(await opsOn('--stage staging', 'keys list', environment)).toEqual({
    code: 6,
    output: '',
    errors:
      `petstore: staging is not deployed ${where}: ` +
      'there is no stack staging-petstore-inventory.\n' +
      'Set AWS_REGION or AWS_PROFILE if it is elsewhere, or deploy it: ' +
      "npx cdk deploy --no-rollback 'staging/*'\n",
  });
});

test.each([
  // After one of these, `npx cdk deploy` alone may fail. The preflight knows what helps.
  ['ROLLBACK_COMPLETE', 'is ROLLBACK_COMPLETE.', preflight],
  ['ROLLBACK_FAILED', 'is ROLLBACK_FAILED.', preflight],
  ['CREATE_FAILED', 'is CREATE_FAILED.', preflight],
  ['CREATE_IN_PROGRESS', 'is CREATE_IN_PROGRESS.', preflight],
  ['REVIEW_IN_PROGRESS', 'is REVIEW_IN_PROGRESS.', preflight],
  ['DELETE_COMPLETE', 'is DELETE_COMPLETE.', preflight],
  ['CREATE_COMPLETE', older, deployThis],
  ['UPDATE_COMPLETE', older, deployThis],
  ['UPDATE_ROLLBACK_COMPLETE', older, deployThis],
])('a stack in %s without outputs is an error that says what to do', async (status, what, hint) => {
  const { environment } = await withStacks({ Stacks: { member: { StackStatus: status } } });
  expect(await opsOn('--stage staging', 'keys list', environment)).toEqual({
    code: 6,
    output: '',
    errors: `petstore: ${hasNo}${what}\n${hint}\n`,
  });
});

const another = 'Set AWS_PROFILE to another profile, or sign in again.';
const connection = 'Check the network and AWS_REGION, or that the local run is still running.';
const denied = 'User: x is not authorized to perform: cloudformation:DescribeStacks on resource: y';
const throttled = 'AWS throttles these requests, even after several attempts.';
const region = 'Set AWS_REGION, or the region of the profile.';

interface Failure {
  message: string | RegExp;
  hint: string;
  ofStack?: object;
  env?: NodeJS.ProcessEnv;
}

const failures: Failure[] = [
  {
    message: 'The AWS credentials have expired.',
    hint: 'Sign in again.',
    ofStack: awsError('ExpiredToken', 'expired'),
  },
  {
    message: 'AWS rejects these credentials.',
    hint: another,
    ofStack: awsError('InvalidClientTokenId', 'x'),
  },
  {
    message: `These credentials may not do cloudformation:DescribeStacks: ${denied}`,
    hint: 'docs/permissions.md has the policy of an operator. Or set AWS_PROFILE.',
    ofStack: awsError('AccessDenied', denied),
  },
  { message: throttled, hint: 'Try again later.', ofStack: awsError('Throttling', '') },
  {
    message: /^No AWS credentials: .+$/,
    hint: 'Set AWS_PROFILE, or sign in again.',
    env: { AWS_ACCESS_KEY_ID: undefined },
  },
  { message: 'No AWS region is set.', hint: region, env: { AWS_REGION: undefined } },
  { message: 'No AWS region is set.', hint: region, env: { AWS_REGION: '' } },
  {
    message: 'No response: connect ECONNREFUSED 127.0.0.1:9.',
    hint: connection,
    env: { AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:9' },
  },
  {
    message: /^No response: getaddrinfo (ENOTFOUND|EAI_AGAIN) sts\.invalid\.$/,
    hint: connection,
    env: { AWS_ENDPOINT_URL_STS: 'http://sts.invalid' },
  },
];

// The command needs a process of its own, because inside Jest the SDK does not recognize errors of
// Node's modules.
test.each(failures)('petstore says what to do about: $message', async (failure) => {
  const { message, hint, ofStack = {}, env } = failure;
  const { environment } = await withStacks(ofStack);
  const list = spawnOps(['keys', 'list', '--stage', 'staging'], {
    env: { ...environment, ...env },
  });
  const { errors, ...rest } = await ended(list);
  expect(rest).toEqual({ code: 6, output: '' });
  const [said, advice, end] = errors.split('\n');
  expect({ advice, end }).toEqual({ advice: hint, end: '' });
  expect(said?.replace('petstore: ', '')).toEqual(
    message instanceof RegExp ? expect.stringMatching(message) : message,
  );
});

test('petstore says what to do about a table that does not exist', async () => {
  const outputs = { RestApiId: 'x', InventoryTableName: 'nothing', ApiKeysTableName: 'nothing' };
  const { environment, stacks } = await awsAround(run);
  stacks.set('staging-petstore-inventory', { status: 'UPDATE_COMPLETE', template: '', outputs });
  expect(await opsOn('--stage staging', 'keys list', environment)).toEqual({
    code: 6,
    output: '',
    errors:
      `${deployed('staging')}petstore: The table does not exist.\n` +
      'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.\n',
  });
});
