import { expect, test } from '@jest/globals';
import { issuedKeys } from '../../../ops/keys/issued-keys.ts';
import { ops } from '../../support/ops/ops.ts';
import { fileWith, tablesOfStage } from '../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

const local = expect.stringMatching(/^Stage: staging of the local run at http:\S+, account 0+\n$/);
const place = 'account 111122223333, us-east-1';
const deployed = (name: string) => `Stage: ${name} in ${place}\n`;
const nowhere = 'petstore: Choose a target: --stage staging, --stage prod or --local.\n';
const wrong =
  'petstore: PETSTORE_STAGE must be staging or local, not "prod". For prod, use --stage prod.\n';
const notFor = (option: string, name: string) =>
  `petstore: ${option} is for the local run, and cannot be used with --stage ${name}.\n`;

test.each([
  { PETSTORE_STAGE: 'staging', options: '', code: 0, errors: deployed('staging') },
  { PETSTORE_STAGE: 'local', options: '', code: 0, errors: local },
  { PETSTORE_STAGE: 'staging', options: '--local', code: 0, errors: local },
  { PETSTORE_STAGE: '', options: '', code: 2, errors: nowhere },
  { PETSTORE_STAGE: undefined, options: '', code: 2, errors: nowhere },
  { PETSTORE_STAGE: 'prod', options: '', code: 2, errors: wrong },
  { PETSTORE_STAGE: 'local', options: '--stage prod', code: 0, errors: deployed('prod') },
  { PETSTORE_STAGE: 'prod', options: '--stage staging', code: 0, errors: deployed('staging') },
  {
    PETSTORE_STAGE: '',
    options: '--local --stage prod',
    code: 2,
    errors: notFor('--local', 'prod'),
  },
  {
    PETSTORE_STAGE: '',
    options: '--port 1 --stage staging',
    code: 2,
    errors: notFor('--port', 'staging'),
  },
])(
  'with PETSTORE_STAGE=$PETSTORE_STAGE, keys list $options names its target, or the mistake',
  async (row) => {
    const { environment } = await stage.account();
    const words = `keys list ${row.options}`.trim().split(' ');
    const { code, errors } = await ops(words, {
      env: { ...environment, PETSTORE_STAGE: row.PETSTORE_STAGE },
    });
    expect({ code, errors }).toEqual({ code: row.code, errors: row.errors });
  },
);

test.each([
  { command: 'keys create --name x', question: 'Issue a key named "x" for prod?' },
  {
    command: 'keys update ID --expires 99d',
    question: 'Let key ID ("kept") of prod work longer?',
  },
  {
    command: 'keys revoke ID',
    question: 'Revoke key ID ("kept") of prod? The saved query use-of-keys shows who uses it.',
  },
  { command: 'keys rotate ID --overlap 1h', question: 'Rotate key ID ("kept") of prod?' },
  { command: 'inventory import FILE', question: 'Create 1 and replace 0 entries in prod?' },
  { command: 'inventory set 1 7', question: 'Set the quantity of petId 1 of prod to 7?' },
  {
    command: 'inventory set-status 1 sold',
    question: 'Set the status of petId 1 of prod to sold?',
  },
  {
    command: 'inventory remove 1',
    question: 'Remove {"petId":1,"quantity":12,"status":"available"} from prod?',
  },
])('on prod, $command changes nothing before its question', async ({ command, question }) => {
  const onProd = (line: string) => stage.deployed([...line.split(' '), '--stage', 'prod']);
  await stage.put({ petId: { N: '1' }, quantity: { N: '12' }, status: { S: 'available' } });
  const created = await onProd('keys create --name kept --expires 9d --yes --json');
  const { id } = JSON.parse(created.output);
  const file = fileWith('{"petId":5,"quantity":1,"status":"sold"}');
  const state = async () => [await stage.items(), await issuedKeys(stage.apiKeys())];
  const before = await state();
  const { code, output, errors } = await onProd(command.replace('FILE', file).replace('ID', id));
  expect({ code, output }).toEqual({ code: 7, output: '' });
  expect(errors).toContain(
    `petstore: This needs a confirmation: ${question.replace('ID', id)}\n` +
      'There is no terminal to ask on. Confirm with --yes.\n',
  );
  expect(await state()).toEqual(before);
});

test('a question about the local run names the local run', async () => {
  await stage.put({ petId: { N: '1' }, quantity: { N: '12' }, status: { S: 'available' } });
  const { errors } = await ops(['inventory', 'remove', '1', '--local']);
  expect(errors).toContain(
    'Remove {"petId":1,"quantity":12,"status":"available"} from the local run?\n',
  );
});

test('advice about a deployed stage names the stage', async () => {
  expect(await stage.deployed(['keys', 'revoke', '4be1', '--stage', 'staging'])).toEqual({
    code: 5,
    output: '',
    errors:
      `${deployed('staging')}petstore: No key has this ID.\n` +
      'To see the IDs: npx --no -- petstore keys list --stage staging\n',
  });
});

const notDeployed =
  'staging is not deployed: us-east-1 has no stack staging-petstore-inventory in the account of ' +
  'these credentials.\n' +
  'Set AWS_REGION or AWS_PROFILE if it is elsewhere (aws sts get-caller-identity shows the ' +
  "account), or deploy it: npx cdk deploy --no-rollback 'staging/*'";
const hasNo = `The stack of staging in ${place} has no output InventoryTableName: it`;
const older = `${hasNo} was deployed from an older version.\nDeploy this one: npx cdk deploy 'staging/*'`;
const unfinished =
  `${hasNo} is UPDATE_FAILED.\n` +
  'Its first deployment is not finished. Fix the cause and continue. If the CDK asks whether to ' +
  'roll back, answer no, and never use --force (docs/deploy.md#when-a-deployment-fails): ' +
  "npx cdk deploy --no-rollback 'staging/*'";

test.each([
  { stack: 'missing', status: undefined, errors: notDeployed },
  { stack: 'of an older version', status: 'UPDATE_COMPLETE', errors: older },
  { stack: 'that was never complete', status: 'UPDATE_FAILED', errors: unfinished },
])('keys list says what to do about a stack $stack', async ({ status, errors }) => {
  const { environment, stacks } = await stage.account();
  delete stacks['staging-petstore-inventory'];
  if (status !== undefined) {
    stacks['staging-petstore-inventory'] = { status };
  }
  expect(await ops(['keys', 'list', '--stage', 'staging'], { env: environment })).toEqual({
    code: 6,
    output: '',
    errors: `petstore: ${errors}\n`,
  });
});

test('keys list says what to do about a table that does not exist', async () => {
  const { environment, stacks } = await stage.account();
  const outputs = { RestApiId: 'x', InventoryTableName: 'nothing', ApiKeysTableName: 'nothing' };
  stacks['staging-petstore-inventory'] = { status: 'UPDATE_COMPLETE', outputs };
  expect(await ops(['keys', 'list', '--stage', 'staging'], { env: environment })).toEqual({
    code: 6,
    output: '',
    errors:
      `${deployed('staging')}petstore: The table does not exist.\n` +
      'Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.\n',
  });
});
