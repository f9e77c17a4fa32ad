import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { awsAround, type FakeAws, xmlError } from '../../support/fake-aws.ts';
import { inventoryCsv } from '../../support/inventory-csv.ts';
import { ended, type LocalRun, localRun } from '../../support/local-run.ts';
import { ops, spawnOps } from '../../support/ops.ts';
import { fileWith } from '../../support/ops-inventory.ts';

describe('petstore on a deployed stage', () => {
  let run: LocalRun;
  let aws: FakeAws;
  beforeAll(async () => {
    run = await localRun();
    aws = await awsAround(run);
  });
  afterEach(() => aws.replies.clear());
  afterAll(() => aws.close());

  const opsOn = (stage: string, line: string, ...more: string[]) =>
    ops([...line.split(' '), '--stage', stage, ...more], { env: aws.environment });
  const statusWith = async (key: string) =>
    (await run.send({ path: '/inventory', headers: { Authorization: `Bearer ${key}` } })).status;

  test('finds its tables and says which stage and account it is', async () => {
    const { errors, ...rest } = await opsOn('staging', 'inventory export');
    expect(rest).toEqual({ code: 0, output: await inventoryCsv(run) });
    expect(errors).toMatch(/^Stage: staging in account 111122223333, us-east-1\n/);
  });

  test('issues a key and ends it at once', async () => {
    const { id, key } = JSON.parse((await opsOn('staging', 'keys create --name shop --json')).output);
    expect(await statusWith(key)).toBe(200);
    const { output } = await opsOn('staging', `keys revoke ${id} --now`);
    expect(output).toMatch(/ and has stopped working\.\n$/);
    expect(await statusWith(key)).toBe(401);
  });

  describe('of prod', () => {
    let id: string;
    let file: string;
    beforeAll(async () => {
      file = fileWith('{"petId":5,"quantity":1,"status":"sold"}');
      id = JSON.parse((await opsOn('prod', 'keys create --name kept --yes --json')).output).id;
    });

    test.each([
      ['keys create --name x', 'Issue a key named "x" for prod?'],
      ['keys revoke ID', 'Revoke key ID ("kept") of prod?'],
      ['keys rotate ID --overlap 1h', 'Rotate key ID ("kept") of prod?'],
      ['inventory import FILE', 'Create 1 and replace 0 entries in prod?'],
      ['inventory set-status 1 sold', 'Set petId 1 of prod to sold?'],
      ['inventory remove 1', 'Remove {"petId":1,"quantity":12,"status":"available"} from prod?'],
    ])('asks before %s', async (command, question) => {
      const state = async () => [await inventoryCsv(run), (await opsOn('prod', 'keys list')).output];
      const before = await state();
      const { errors, ...rest } = await opsOn('prod', command.replace('FILE', file).replace('ID', id));
      expect(rest).toEqual({ code: 7, output: '' });
      const refusal = `petstore: ${question}\nThere is no terminal to ask on. Confirm with --yes.\n`;
      expect(errors).toContain(refusal.replace('ID', id));
      expect(await state()).toEqual(before);
    });
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
    const { errors: verbose } = await opsOn('staging', 'keys list', '--verbose');
    expect(verbose.replace(errors, '')).toMatch(/^\w+: .*\n +at /);
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
