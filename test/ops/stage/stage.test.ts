import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { awsAround, type FakeAws, xmlError } from '../../support/fake-aws.ts';
import { ended, type LocalRun, localRun } from '../../support/local-run.ts';
import { ops, spawnOps } from '../../support/ops.ts';
import { fileWith } from '../../support/ops-inventory.ts';

let run: LocalRun;
let aws: FakeAws;
let port: string;
beforeAll(async () => {
  run = await localRun();
  aws = await awsAround(run);
  port = new URL(run.baseUrl).port;
});
afterEach(() => aws.replies.clear());
afterAll(() => aws.close());

const local = () => `Stage: staging of the local run at ${run.baseUrl}, account 000000000000\n`;
const deployed = (stage: string) => () => `Stage: ${stage} in account 111122223333, us-east-1\n`;
const nowhere = () => 'petstore: Choose a target: --stage staging, --stage prod or --local.\n';
const wrong = (name: string) => () =>
  `petstore: PETSTORE_STAGE must be staging or local, not "${name}". For prod, use --stage prod.\n`;

test.each<[stage: string | undefined, line: string, code: number, errors: () => string]>([
  ['staging', '', 0, deployed('staging')],
  ['local', '', 0, local],
  ['local', '--port PORT', 0, local],
  ['', '', 2, nowhere],
  [undefined, '', 2, nowhere],
  ['prod', '', 2, wrong('prod')],
  ['Staging', '', 2, wrong('Staging')],
  ['local', '--stage prod', 0, deployed('prod')],
  ['prod', '--stage staging', 0, deployed('staging')],
  ['staging', '--local', 0, local],
])('with PETSTORE_STAGE=%s, keys list %s', async (PETSTORE_STAGE, line, code, errors) => {
  const options = line.replace('PORT', port).split(' ').filter(Boolean);
  const listed = await ops(['keys', 'list', ...options], { env: { ...aws.environment, PETSTORE_STAGE } });
  expect([listed.code, listed.errors]).toEqual([code, errors()]);
});

test('--local asks which, if several run, and finds the one whose port is given, or that was not killed', async () => {
  const list = (...options: string[]) => ops(['keys', 'list', '--local', ...options]);
  const none = (...lines: string[]) => ({ code: 6, output: '', errors: `petstore: ${lines.join('\n')}\n` });
  const other = await localRun('--stage', 'prod');
  const choices = [`--port ${port} (staging)`, `--port ${new URL(other.baseUrl).port} (prod)`];
  const inEitherOrder = [choices, choices.toReversed()].map((order) =>
    none('There are several local runs.', `Choose one: ${order.join(', ')}`),
  );
  expect(inEitherOrder).toContainEqual(await list());
  expect(await list('--port', port)).toMatchObject({ code: 0, errors: local() });
  const noRun = none('There is no local run on port 1.', 'Start one: npx petstore start --port 1');
  expect(await list('--port', '1')).toEqual(noRun);

  other.process.kill('SIGKILL');
  await once(other.process, 'exit');
  expect(await list()).toMatchObject({ code: 0, errors: local() });
});

describe('on a deployed stage, petstore', () => {
  const opsOn = (stage: string, line: string, ...more: string[]) =>
    ops([...line.split(' '), '--stage', stage, ...more], { env: aws.environment });

  test('finds its tables, issues a key there and ends it at once', async () => {
    const { output: stock } = await ops(['inventory', 'export', '--local']);
    expect(await opsOn('staging', 'inventory export')).toMatchObject({ code: 0, output: stock });
    const { id, key } = JSON.parse((await opsOn('staging', 'keys create --name shop --json')).output);
    const headers = { Authorization: `Bearer ${key}` };
    expect((await run.send({ path: '/inventory', headers })).status).toBe(200);
    expect((await opsOn('staging', `keys revoke ${id} --now`)).output).toMatch(/ and has stopped working\.\n$/);
    expect((await run.send({ path: '/inventory', headers })).status).toBe(401);
  });

  test.each([
    ['keys create --name x', 'Issue a key named "x" for prod?'],
    ['keys revoke ID', 'Revoke key ID ("kept") of prod?'],
    ['keys rotate ID --overlap 1h', 'Rotate key ID ("kept") of prod?'],
    ['inventory import FILE', 'Create 1 and replace 0 entries in prod?'],
    ['inventory set-status 1 sold', 'Set petId 1 of prod to sold?'],
    ['inventory remove 1', 'Remove {"petId":1,"quantity":12,"status":"available"} from prod?'],
  ])('asks before %s on prod', async (command, question) => {
    const { id } = JSON.parse((await opsOn('prod', 'keys create --name kept --yes --json')).output);
    const file = fileWith('{"petId":5,"quantity":1,"status":"sold"}');
    const state = () => Promise.all([opsOn('prod', 'inventory export'), opsOn('prod', 'keys list')]);
    const outputs = async () => (await state()).map(({ output }) => output);
    const before = await outputs();
    const { errors, ...rest } = await opsOn('prod', command.replace('FILE', file).replace('ID', id));
    expect(rest).toEqual({ code: 7, output: '' });
    const refusal = `petstore: ${question}\nThere is no terminal to ask on. Confirm with --yes.\n`;
    expect(errors).toContain(refusal.replace('ID', id));
    expect(await outputs()).toEqual(before);
  });

  test.each([
    ['ExpiredToken', 'expired', 'The AWS credentials have expired.\nSign in again.'],
    [
      'InvalidClientTokenId',
      'invalid',
      'AWS rejects these credentials.\nSet AWS_PROFILE to another profile, or sign in again.',
    ],
    [
      'ValidationError',
      'Stack with id staging-petstore-inventory does not exist',
      'staging is not deployed in account 111122223333, us-east-1: there is no stack staging-petstore-inventory.\n' +
        "Set AWS_REGION or AWS_PROFILE if it is elsewhere, or deploy it: npx cdk deploy --no-rollback 'staging/*'",
    ],
    ['AccessDenied', 'Not x.', 'These credentials may not do this: Not x.\nSet AWS_PROFILE to another profile.'],
    ['Throttling', '', 'AWS throttles these requests, even after several attempts.\nTry again later.'],
  ])('says what to do about %s', async (code, message, explained) => {
    aws.replies.set('cloudformation DescribeStacks', xmlError(code, message));
    const errors = `petstore: ${explained}\n`;
    expect(await opsOn('staging', 'keys list')).toEqual({ code: 6, output: '', errors });
  });

  // In a process of its own: the SDK does not know the errors of Node's own modules for such in Jest's context.
  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['no credentials', { AWS_ACCESS_KEY_ID: undefined }, 'No AWS credentials: …\nSet AWS_PROFILE, or sign in again.'],
    ['no region', { AWS_REGION: undefined }, 'No AWS region is set.\nSet AWS_REGION, or the region of the profile.'],
    [
      'a network that is down',
      { AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:9' },
      'No response: connect ECONNREFUSED 127.0.0.1:9.\n' +
        'Check the network and AWS_REGION; of a local run, whether it still runs.',
    ],
  ])('says what to do about %s', async (_problem, more, message) => {
    const child = spawnOps(['keys', 'list', '--stage', 'staging'], { env: { ...aws.environment, ...more } });
    const { errors, ...rest } = await ended(child);
    expect(rest).toEqual({ code: 6, output: '' });
    expect(errors.replace(/(?<=credentials: ).+/, '…')).toBe(`petstore: ${message}\n`);
  });
});
