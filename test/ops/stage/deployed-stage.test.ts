import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { awsAround, type Reply, xmlError } from '../../support/fake-aws.ts';
import { inventoryCsv } from '../../support/inventory-csv.ts';
import { ended, type LocalRun, localRun } from '../../support/local-run.ts';
import { ops, spawnOps } from '../../support/ops.ts';
import { fileWith } from '../../support/ops-inventory.ts';

describe('petstore on a deployed stage', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) {
      await close();
    }
  });

  const opsOnAws = async (options: string[], replies: Record<string, Reply> = {}, more: NodeJS.ProcessEnv = {}) => {
    const aws = await awsAround(run);
    closing.push(aws.close);
    for (const [call, reply] of Object.entries(replies)) {
      aws.replies.set(call, reply);
    }
    return ops(options, { env: { ...aws.environment, ...more } });
  };
  const statusWith = async (key: string) =>
    (await run.send({ path: '/inventory', headers: { Authorization: `Bearer ${key}` } })).status;

  test('finds its tables and says which stage and account it is', async () => {
    const { code, output, errors } = await opsOnAws(['inventory', 'export', '--stage', 'staging']);
    expect({ code, output }).toEqual({ code: 0, output: await inventoryCsv(run) });
    expect(errors).toMatch(/^Stage: staging in account 111122223333, us-east-1\n/);
  });

  test('issues a key and ends it at once', async () => {
    const created = await opsOnAws(['keys', 'create', '--name', 'shop', '--stage', 'staging', '--json']);
    const { id, key } = JSON.parse(created.output);
    expect(await statusWith(key)).toBe(200);
    const revoked = await opsOnAws(['keys', 'revoke', id, '--now', '--stage', 'staging']);
    expect(revoked.output).toMatch(/ and has stopped working\.\n$/);
    expect(await statusWith(key)).toBe(401);
  });

  test.each([
    ['keys create', ['keys', 'create', '--name', 'x'], 'Issue a key named "x" for prod?'],
    ['inventory import', ['inventory', 'import', 'FILE'], 'Create 1 and replace 0 entries in prod?'],
    ['inventory set-status', ['inventory', 'set-status', '1', 'sold'], 'Set petId 1 of prod to sold?'],
    [
      'inventory remove',
      ['inventory', 'remove', '1'],
      'Remove {"petId":1,"quantity":12,"status":"available"} from prod?',
    ],
  ])('asks before %s on prod', async (_name, command, question) => {
    const file = fileWith('{"petId":5,"quantity":1,"status":"sold"}');
    const options = [...command, '--stage', 'prod'].map((option) => (option === 'FILE' ? file : option));
    const before = await inventoryCsv(run);
    const { code, output, errors } = await opsOnAws(options);
    expect({ code, output }).toEqual({ code: 7, output: '' });
    expect(errors).toContain(`petstore: ${question}\nThere is no terminal to ask on. Confirm with --yes.\n`);
    expect(await inventoryCsv(run)).toBe(before);
    expect((await opsOnAws(['keys', 'list', '--stage', 'prod'])).output).not.toMatch(/ x /);
  });

  test.each(['revoke', 'rotate'])('asks before keys %s on prod', async (command) => {
    const created = await opsOnAws(['keys', 'create', '--name', 'kept', '--stage', 'prod', '--yes', '--json']);
    const { id } = JSON.parse(created.output);
    const more = command === 'rotate' ? ['--overlap', '1h'] : [];
    const list = () => opsOnAws(['keys', 'list', '--stage', 'prod']);
    const before = (await list()).output;
    const { code, errors } = await opsOnAws(['keys', command, id, ...more, '--stage', 'prod']);
    expect(code).toBe(7);
    expect(errors).toMatch(/petstore: (Revoke|Rotate) key \w+ \("kept"\) of prod\?\n.*Confirm with --yes\.\n$/);
    expect((await list()).output).toBe(before);
  });

  test.each<[string, Record<string, Reply>, NodeJS.ProcessEnv, RegExp]>([
    [
      'expired credentials',
      {
        'sts GetCallerIdentity': xmlError('ExpiredToken', 'The security token included in the request is expired', 403),
      },
      {},
      /^petstore: The AWS credentials have expired\.\nSign in again\.\n$/,
    ],
    [
      'wrong credentials',
      { 'sts GetCallerIdentity': xmlError('InvalidClientTokenId', 'The security token is invalid.', 403) },
      {},
      /^petstore: AWS rejects these credentials\.\nSet AWS_PROFILE to another profile, or sign in again\.\n$/,
    ],
    [
      'no credentials',
      {},
      { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined },
      /^petstore: No AWS credentials: .+\nSet AWS_PROFILE, or sign in again\.\n$/,
    ],
    [
      'no region',
      {},
      { AWS_REGION: undefined },
      /^petstore: No AWS region is set\.\nSet AWS_REGION, or the region of the profile\.\n$/,
    ],
    [
      'a stage that is not deployed there',
      {
        'cloudformation DescribeStacks': xmlError(
          'ValidationError',
          'Stack with id staging-petstore-inventory does not exist',
        ),
      },
      {},
      /^petstore: staging is not deployed in account 111122223333, us-east-1: there is no stack staging-petstore-inventory\.\nSet AWS_REGION or AWS_PROFILE if it is elsewhere, or deploy it: npx cdk deploy --no-rollback 'staging\/\*'\n$/,
    ],
    [
      'too few rights',
      {
        'cloudformation DescribeStacks': xmlError(
          'AccessDenied',
          'User x is not authorized to perform: cloudformation:DescribeStacks',
          403,
        ),
      },
      {},
      /^petstore: These credentials may not do this: User x is not authorized to perform: cloudformation:DescribeStacks\nSet AWS_PROFILE to another profile\.\n$/,
    ],
    [
      'throttling',
      { 'cloudformation DescribeStacks': xmlError('Throttling', 'Rate exceeded') },
      {},
      /^petstore: AWS throttles these requests, even after several attempts\.\nTry again later\.\n$/,
    ],
  ])('says what to do about %s', async (_problem, replies, env, message) => {
    const { code, output, errors } = await opsOnAws(['keys', 'list', '--stage', 'staging'], replies, env);
    expect(errors).toMatch(message);
    expect({ code, output }).toEqual({ code: 6, output: '' });
  });

  // In a process of its own: the SDK does not know the errors of Node's own modules for such in Jest's context.
  test('says what to do about a network that is down', async () => {
    const aws = await awsAround(run);
    closing.push(aws.close);
    const env = { ...aws.environment, AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:9' };
    expect(await ended(spawnOps(['keys', 'list', '--stage', 'staging'], { env }))).toEqual({
      code: 6,
      output: '',
      errors:
        'petstore: No response: connect ECONNREFUSED 127.0.0.1:9.\n' +
        'Check the network and AWS_REGION; of a local run, whether it still runs.\n',
    });
  });

  test('shows where an error comes from with --verbose', async () => {
    const replies = { 'sts GetCallerIdentity': xmlError('ExpiredToken', 'expired', 403) };
    const { code, errors } = await opsOnAws(['keys', 'list', '--stage', 'staging', '--verbose'], replies);
    expect(code).toBe(6);
    expect(errors).toMatch(
      /^petstore: The AWS credentials have expired\.\nSign in again\.\nExpiredToken: expired\n +at /,
    );
  });
});
