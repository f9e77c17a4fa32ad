import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { localRun } from '../../support/local/local-run.ts';
import { awsAround, awsError } from '../../support/ops/fake-aws.ts';
import { ops, spawnOps } from '../../support/ops/ops.ts';
import { fileWith } from '../../support/ops/ops-stage.ts';
import { ended } from '../../support/process/tools.ts';

const run = await localRun();
const aws = await awsAround(run);
const { port } = new URL(run.baseUrl);

const opsOn = (target: string, line: string, env: NodeJS.ProcessEnv = {}) =>
  ops(`${line} ${target}`.trim().split(' '), { env: { ...aws.environment, ...env } });

const local = `Stage: staging of the local run at ${run.baseUrl}, account 000000000000\n`;
const deployed = (stage: string) => `Stage: ${stage} in account 111122223333, us-east-1\n`;
const nowhere = 'petstore: Choose a target: --stage staging, --stage prod or --local.\n';
const wrong =
  'petstore: PETSTORE_STAGE must be staging or local, not "prod". For prod, use --stage prod.\n';

test.each<[stage: string | undefined, target: string, code: number, errors: string]>([
  ['staging', '', 0, deployed('staging')],
  ['local', '', 0, local],
  ['staging', '--port PORT', 0, local],
  ['', '', 2, nowhere],
  [undefined, '', 2, nowhere],
  ['prod', '', 2, wrong],
  ['local', '--stage prod', 0, deployed('prod')],
  ['prod', '--stage staging', 0, deployed('staging')],
  ['staging', '--local', 0, local],
])(
  'with PETSTORE_STAGE=%s, keys list %s chooses its target',
  async (PETSTORE_STAGE, target, code, errors) => {
    const listed = await opsOn(target.replace('PORT', port), 'keys list', { PETSTORE_STAGE });
    expect([listed.code, listed.errors]).toEqual([code, errors]);
  },
);

test('--local finds the run on the given port or the only live one, and lists the choices if there are several', async () => {
  const none = (...lines: string[]) => ({
    code: 6,
    output: '',
    errors: `petstore: ${lines.join('\n')}\n`,
  });
  const other = await localRun('--stage', 'prod');
  const choices = [`--port ${port} (staging)`, `--port ${new URL(other.baseUrl).port} (prod)`];
  const inEitherOrder = [choices, choices.toReversed()].map((order) =>
    none('There are several local runs.', `Choose one: ${order.join(', ')}`),
  );
  expect(inEitherOrder).toContainEqual(await opsOn('--local', 'keys list'));
  expect(await opsOn(`--local --port ${port}`, 'keys list')).toMatchObject({
    code: 0,
    errors: local,
  });
  const noRun = none(
    'There is no local run on port 0.',
    'Start one: npx --no -- petstore start --port 0',
  );
  expect(await opsOn('--local --port 0', 'keys list')).toEqual(noRun);

  other.process.kill('SIGKILL');
  await once(other.process, 'exit');
  expect(await opsOn('--local', 'keys list')).toMatchObject({ code: 0, errors: local });
});

test.each(['--local', '--stage staging'])(
  '%s finds the tables, and issues and revokes a key',
  async (target) => {
    const stock = (await run.send({ path: '/inventory' })).text.match(/\{.*?\}/g);
    expect(
      (await opsOn(target, 'inventory export --json')).output.match(/\{.*?\}/g)?.sort(),
    ).toEqual(stock?.sort());
    const { id, key } = JSON.parse((await opsOn(target, 'keys create --name shop --json')).output);
    const headers = { Authorization: `Bearer ${key}` };
    expect((await run.send({ path: '/inventory', headers })).status).toBe(200);
    expect((await opsOn(target, `keys revoke ${id} --now`)).output).toMatch(
      / and has stopped working\.\n$/,
    );
    expect((await run.send({ path: '/inventory', headers })).status).toBe(401);
  },
);

test.each([
  ['keys create --name x', 'Issue a key named "x" for prod?'],
  ['keys update ID --expires 99d', 'Let key ID ("kept") of prod work longer?'],
  ['keys revoke ID', 'Revoke key ID ("kept") of prod?'],
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
  const refusal = `petstore: This needs a confirmation: ${question.replace('ID', id)}\nThere is no terminal to ask on. Confirm with --yes.\n`;
  const refused = { code: 7, output: '', errors: expect.stringContaining(refusal) };
  expect(await onProd(command.replace('FILE', file).replace('ID', id))).toEqual(refused);
  expect(await state()).toEqual(before);
});

const another = 'Set AWS_PROFILE to another profile';
const missing = awsError(
  'ValidationError',
  'Stack with id staging-petstore-inventory does not exist',
);
const isMissing =
  'staging is not deployed in account 111122223333, us-east-1: there is no stack staging-petstore-inventory.';
const deploy =
  "Set AWS_REGION or AWS_PROFILE if it is elsewhere, or deploy it: npx cdk deploy --no-rollback 'staging/*'";
const inState = (StackStatus: string) => ({ Stacks: { member: { StackStatus } } });
const hasNo =
  'The stack of staging in account 111122223333, us-east-1 has no output InventoryTableName: it ';
const look = 'See what to do: npx --no -- petstore preflight --stage staging';
const connection = 'Check the network and AWS_REGION, or that the local run is still running.';
const refused = { AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:9' };

// The command needs a process of its own, because inside Jest the SDK does not recognize errors of
// Node's modules.
test.each<[message: string, hint: string, ofStack: object, NodeJS.ProcessEnv]>([
  ['The AWS credentials have expired.', 'Sign in again.', awsError('ExpiredToken', 'expired'), {}],
  [
    'AWS rejects these credentials.',
    `${another}, or sign in again.`,
    awsError('InvalidClientTokenId', 'x'),
    {},
  ],
  [
    'These credentials may not do this: Not x.',
    `${another}.`,
    awsError('AccessDenied', 'Not x.'),
    {},
  ],
  [
    'AWS throttles these requests, even after several attempts.',
    'Try again later.',
    awsError('Throttling', ''),
    {},
  ],
  [isMissing, deploy, missing, {}],
  [`${hasNo}is ROLLBACK_COMPLETE.`, look, inState('ROLLBACK_COMPLETE'), {}],
  [
    'No AWS credentials: …',
    'Set AWS_PROFILE, or sign in again.',
    {},
    { AWS_ACCESS_KEY_ID: undefined },
  ],
  [
    'No AWS region is set.',
    'Set AWS_REGION, or the region of the profile.',
    {},
    { AWS_REGION: undefined },
  ],
  [
    'No AWS region is set.',
    'Set AWS_REGION, or the region of the profile.',
    {},
    { AWS_REGION: '' },
  ],
  ['No response: connect ECONNREFUSED 127.0.0.1:9.', connection, {}, refused],
])('petstore says what to do about an error: %s', async (message, hint, ofStack, env) => {
  const { environment } = await awsAround(run, { 'cloudformation DescribeStacks': ofStack });
  const list = spawnOps(['keys', 'list', '--stage', 'staging'], {
    env: { ...environment, ...env },
  });
  const { errors, ...rest } = await ended(list);
  expect(rest).toEqual({ code: 6, output: '' });
  expect(errors.replace(/(?<=credentials: ).+/, '…')).toBe(`petstore: ${message}\n${hint}\n`);
});
