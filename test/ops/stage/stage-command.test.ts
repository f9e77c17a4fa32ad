import { beforeAll, describe, expect, test } from '@jest/globals';
import { awsAround } from '../../support/fake-aws.ts';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { ops } from '../../support/ops.ts';

describe('PETSTORE_STAGE', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const stageWith = async (PETSTORE_STAGE: string | undefined, ...options: string[]) => {
    const aws = await awsAround(run);
    const { code, errors } = await ops(['keys', 'list', ...options], { env: { ...aws.environment, PETSTORE_STAGE } });
    await aws.close();
    return { code, errors };
  };
  const staging = { code: 0, errors: 'Stage: staging in account 111122223333, us-east-1\n' };
  const prod = { code: 0, errors: 'Stage: prod in account 111122223333, us-east-1\n' };
  const local = () => ({
    code: 0,
    errors: `Stage: staging of the local run at ${run.baseUrl}, account 000000000000\n`,
  });
  const nowhere = { code: 2, errors: 'petstore: Choose a target: --stage staging, --stage prod or --local.\n' };

  test('names the stage that the command line does not', async () => {
    expect(await stageWith('staging')).toEqual(staging);
    expect(await stageWith('local')).toEqual(local());
    expect(await stageWith('local', '--port', new URL(run.baseUrl).port)).toEqual(local());
    expect(await stageWith('')).toEqual(nowhere);
    expect(await stageWith(undefined)).toEqual(nowhere);
  });

  test.each(['prod', 'Staging'])('may not be %s', async (value) => {
    expect(await stageWith(value)).toEqual({
      code: 2,
      errors: `petstore: PETSTORE_STAGE must be staging or local, not "${value}". For prod, use --stage prod.\n`,
    });
  });

  test('gives way to the command line', async () => {
    expect(await stageWith('local', '--stage', 'prod')).toEqual(prod);
    expect(await stageWith('prod', '--stage', 'staging')).toEqual(staging);
    expect(await stageWith('staging', '--local')).toEqual(local());
  });
});
