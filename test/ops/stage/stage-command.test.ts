import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { awsAround, type FakeAws } from '../../support/fake-aws.ts';
import { localRun } from '../../support/local-run.ts';
import { ops } from '../../support/ops.ts';

let aws: FakeAws;
let port: string;
let local: string;
beforeAll(async () => {
  const run = await localRun();
  aws = await awsAround(run);
  port = new URL(run.baseUrl).port;
  local = `Stage: staging of the local run at ${run.baseUrl}, account 000000000000\n`;
});
afterAll(() => aws.close());

const deployed = (stage: string) => `Stage: ${stage} in account 111122223333, us-east-1\n`;
const nowhere = 'petstore: Choose a target: --stage staging, --stage prod or --local.\n';
const wrong = (name: string) =>
  `petstore: PETSTORE_STAGE must be staging or local, not "${name}". For prod, use --stage prod.\n`;

test.each<[stage: string | undefined, options: string[], code: number, errors: string]>([
  ['staging', [], 0, deployed('staging')],
  ['local', [], 0, 'LOCAL'],
  ['local', ['--port', 'PORT'], 0, 'LOCAL'],
  ['', [], 2, nowhere],
  [undefined, [], 2, nowhere],
  ['prod', [], 2, wrong('prod')],
  ['Staging', [], 2, wrong('Staging')],
  ['local', ['--stage', 'prod'], 0, deployed('prod')],
  ['prod', ['--stage', 'staging'], 0, deployed('staging')],
  ['staging', ['--local'], 0, 'LOCAL'],
])('with PETSTORE_STAGE=%s, keys list %j', async (PETSTORE_STAGE, options, code, errors) => {
  const words = options.map((word) => word.replace('PORT', port));
  const listed = await ops(['keys', 'list', ...words], { env: { ...aws.environment, PETSTORE_STAGE } });
  expect([listed.code, listed.errors]).toEqual([code, errors.replace('LOCAL', local)]);
});
