// The life of both stages in an account, from the bootstrap to the teardown, with the commands of
// the operators' pages as the people run them who need no more permissions. MiniStack keeps a stack
// policy, but lets deployments do what it denies.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Statement, startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { accountId, customDomain } from './ministack/ministack.ts';
import { ofDeployer, ofOperator } from './ministack/policies.ts';
import { allKinds, deployedStage } from './ministack/stage.ts';

const allow = (Action: string[], Resource = '*'): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
});

/** Permissions for what docs/runbook.md says that a rollback does. */
const toRollBack = [
  allow([
    'cloudformation:ListStackResources',
    'lambda:ListVersionsByFunction',
    'lambda:UpdateAlias',
  ]),
];

const restored = `arn:aws:dynamodb:us-east-1:${accountId}:table/restored`;
/** Permissions for what docs/stock-and-recovery.md says that a recovery does. */
const toRecover = [
  allow(['dynamodb:RestoreTableToPointInTime'], `arn:aws:dynamodb:us-east-1:${accountId}:table/*`),
  allow(['dynamodb:DescribeTable', 'dynamodb:Scan', 'dynamodb:DeleteTable'], restored),
];

const checkout = checkOut();
const { administrator, user } = await startAccount(checkout.directory);
const deployer = await user('deployer', [...ofDeployer('staging'), ...ofDeployer('prod')]);
const ofBothStages = [...ofOperator('staging'), ...ofOperator('prod')];
const operator = await user('operator', ofBothStages);
const onCall = await user('on-call', toRollBack);
const recoverer = await user('recoverer', [...ofBothStages, ...toRecover]);

const stages = {
  staging: deployedStage(administrator, 'staging'),
  prod: deployedStage(administrator, 'prod'),
};
type StageName = keyof typeof stages;
const apiKeys = { staging: '', prod: '' };
const petstore = 'npx --no -- petstore';

/** Returns the status of a list, as a client gets it. */
const listed = (stage: StageName): Promise<number> => stages[stage].statusFor(apiKeys[stage]);

/** Adds settings of a stage, written as TypeScript. Returns how to undo that. */
const set = (stage: StageName, settings: string): (() => void) => {
  const head = `const ${stage}: StageSettings = {`;
  return checkout.edit('infra/settings/stages.ts', head, `${head} ${settings}`);
};
/** Makes the next deployments of a stage fail, until the returned function is called. */
const breakStage = (stage: StageName) =>
  set(stage, `webAclArn: 'arn:aws:wafv2:us-east-1:${accountId}:regional/webacl/none/0',`);

const acceptance = (stage: StageName): string =>
  `READ_ONLY=${stage === 'prod'} KEY_ACCESS=write npm run acceptance`;
const targetOf = async (stage: StageName) => {
  const { BaseUrl = '' } = await stages[stage].outputs();
  return { PETSTORE_BASE_URL: BaseUrl, PETSTORE_API_KEY: apiKeys[stage] };
};

/** Builds and releases to a stage, up to the first command that fails. */
const release = async (stage: StageName) => {
  await deployer.run('npm run synth');
  const commands = [
    `npm run check-stage ${stage}`,
    `npx cdk deploy --app cdk.out '${stage}/*'`,
    acceptance(stage),
  ];
  return deployer.end(commands.join(' && '), await targetOf(stage));
};

/** Sets a stage up after its first deployment, as docs/deploy.md says. */
const setUp = async (stage: StageName): Promise<void> => {
  await administrator.run(
    `aws cloudformation set-stack-policy --stack-name ${stage}-petstore-inventory ` +
      '--stack-policy-body file://infra/stack-policy.json',
  );
  const options = `--stage ${stage} --yes`;
  await operator.run(`${petstore} inventory import ops/sample-inventory.csv ${options}`);
  const key = await operator.run(`${petstore} keys create --name release ${options}`);
  apiKeys[stage] = key.trim();
};

test('1. an administrator alone can bootstrap the account', async () => {
  expect(await deployer.end('npx cdk bootstrap')).toMatchObject({ code: 1 });
  await administrator.run('npx cdk bootstrap');
});

test('2. staging is deployed, gets its stack policy, stock and a key, and keeps the contract', async () => {
  const printed = await deployer.run("npx cdk deploy --no-rollback 'staging/*'");
  const target = await targetOf('staging');
  expect(printed).toContain(`BaseUrl = ${target.PETSTORE_BASE_URL}\n`);
  await setUp('staging');
  const ours = JSON.parse(readFileSync('infra/stack-policy.json', 'utf8'));
  expect(await stages.staging.policy()).toStrictEqual(ours);
  await operator.run(acceptance('staging'), await targetOf('staging'));
});

test('2. the first deployment of prod, at its own domain, goes on where it failed', async () => {
  const deploy = "npx cdk deploy --no-rollback 'prod/*'";
  const certificateArn = `arn:aws:acm:us-east-1:${accountId}:certificate/0`;
  set(
    'prod',
    `customDomain: { domainName: '${customDomain}', certificateArn: '${certificateArn}' },`,
  );
  const repair = breakStage('prod');
  expect(await deployer.end(deploy)).toMatchObject({ code: 1 });
  expect(await stages.prod.status()).toBe('CREATE_FAILED');
  const tables = await stages.prod.resources('::GlobalTable');
  expect(Object.keys(tables)).toHaveLength(2);

  repair();
  await deployer.run(deploy);
  expect(await stages.prod.resources('::GlobalTable')).toStrictEqual(tables);
  await setUp('prod');
  const target = await targetOf('prod');
  expect(target.PETSTORE_BASE_URL).toBe(`https://${customDomain}/v1`);
  await operator.run(acceptance('prod'), target);
});

test('2. an alarm of prod can be set off to see it arrive', async () => {
  const alarms =
    'aws cloudwatch describe-alarms ' +
    '--alarm-name-prefix prod-petstore-inventory-AlarmsServerErrors --output text --query';
  const name = await administrator.run(`${alarms} 'MetricAlarms[].AlarmName'`);
  await administrator.run(
    `aws cloudwatch set-alarm-state --alarm-name ${name.trim()} --state-value ALARM ` +
      "--state-reason 'a test'",
  );
  expect(await administrator.run(`${alarms} 'MetricAlarms[].StateValue'`)).toBe('ALARM\n');
});

test('3. a release publishes new versions of all functions and keeps the old ones', async () => {
  checkout.append('functions/authorizer.ts', 'export const build = 2;\n');
  expect(await release('staging')).toMatchObject({
    code: 0,
    output: expect.stringContaining('runs commit unknown: what to go back to.\n'),
  });
  const both = { kept: ['1', '2'], live: '2' };
  expect(await stages.staging.versions()).toStrictEqual([both, both, both]);
});

test('4. an update that fails is taken back with cdk rollback', async () => {
  const repair = breakStage('staging');
  const deploy = "npx cdk deploy --no-rollback 'staging/*'";
  expect(await deployer.end(deploy)).toMatchObject({ code: 1 });
  expect(await stages.staging.status()).toBe('UPDATE_FAILED');
  await deployer.run("npx cdk rollback 'staging/*'");
  expect(await stages.staging.status()).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(await listed('staging')).toBe(200);
  repair();
});

test('5. a bad version is taken out of service by the alias, until the next release', async () => {
  const revert = checkout.append('functions/list-inventory.ts', "throw new Error('a bug');\n");
  expect(await release('prod')).toMatchObject({ code: 1 });
  expect(await listed('prod')).toBe(502);

  const list = await onCall.run(
    'aws cloudformation list-stack-resources --stack-name prod-petstore-inventory --query ' +
      `"StackResourceSummaries[?ResourceType=='AWS::Lambda::Function'].PhysicalResourceId"`,
  );
  const [name = ''] = list.match(/[^"]*ListInventory[^"]*/) ?? [];
  const versions = await onCall.run(
    `aws lambda list-versions-by-function --function-name ${name} ` +
      "--query 'Versions[].[Version, LastModified]'",
  );
  expect(JSON.parse(versions).at(-1)).toStrictEqual(['2', expect.any(String)]);
  const alias = `aws lambda update-alias --function-name ${name} --name live --function-version`;
  await onCall.run(`${alias} 1`);
  expect(await listed('prod')).toBe(200);

  revert();
  await onCall.run(`${alias} 2`);
  checkout.edit('infra/settings/stages.ts', /CANARY_\w+/g, 'ALL_AT_ONCE');
  await deployer.run("npx cdk deploy 'prod/*'");
  expect(await listed('prod')).toBe(200);
});

/** Returns prod's stock, in CSV, as an operator exports it. */
const stock = (): Promise<string> => operator.run(`${petstore} inventory export --stage prod`);

const restore = async (output: string, moment: string): Promise<void> => {
  const { [output]: source } = await stages.prod.outputs();
  await recoverer.run(
    `aws dynamodb restore-table-to-point-in-time --source-table-name ${source} ` +
      `--target-table-name restored --restore-date-time ${moment}`,
  );
  await recoverer.run('aws dynamodb wait table-exists --table-name restored');
};

test('6. an import is undone with the table of an earlier moment', async () => {
  const before = await stock();
  const moment = new Date().toISOString();
  checkout.write('mistaken.csv', 'petId,quantity,status\r\n"1",999,sold\r\n777,1,sold\r\n');
  const replace = '--on-conflict replace --stage prod --yes';
  await operator.run(`${petstore} inventory import mistaken.csv ${replace}`);
  expect(await stock()).toContain('\n1,999,sold\n');

  await restore('InventoryTableName', moment);
  const restored = await recoverer.run(
    "aws dynamodb scan --table-name restored --query 'Items[].[petId.N, quantity.N, status.S]' " +
      "--output text | tr '\\t' ,",
  );
  const [undo] = restored.split('\n').filter((line) => line.startsWith('1,'));
  checkout.write('undo.csv', `petId,quantity,status\n${undo}\n`);
  await recoverer.run(`${petstore} inventory import undo.csv ${replace}`);
  await recoverer.run(`${petstore} inventory remove 777 --stage prod --yes`);
  await recoverer.run('aws dynamodb delete-table --table-name restored');
  expect(await stock()).toBe(before);
});

test('6. API keys that are gone are put back', async () => {
  const { ApiKeysTableName: table = '' } = await stages.prod.outputs();
  const moment = new Date().toISOString();
  const [{ keyHash }] = await stages.prod.items(table);
  const key = JSON.stringify({ keyHash });
  await administrator.run(`aws dynamodb delete-item --table-name ${table} --key '${key}'`);
  await stages.prod.flush();
  expect(await listed('prod')).toBe(401);

  await restore('ApiKeysTableName', moment);
  await recoverer.run(
    "aws dynamodb scan --table-name restored --query 'Items[].[to_string(@)]' --output text | " +
      `while read -r key; do aws dynamodb put-item --table-name ${table} --item "$key" ` +
      "--condition-expression 'attribute_not_exists(keyHash)'; done",
  );
  await recoverer.run('aws dynamodb delete-table --table-name restored');
  await stages.prod.flush();
  expect(await listed('prod')).toBe(200);
});

test('7. what a destroyed stage leaves is what the page says', async () => {
  // Nothing of staging is left of kinds of which something of prod is found.
  expect(Object.keys(await stages.prod.remains())).toStrictEqual(allKinds);
  await deployer.run("npx cdk destroy 'staging/*' --force");
  const logRole = (stage: string) => expect.stringMatching(`^${stage}-.*-ApiCloudWatchRole`);
  expect(await stages.staging.remains()).toStrictEqual({ roles: [logRole('staging')] });

  await administrator.run(
    'aws cloudformation update-termination-protection --no-enable-termination-protection ' +
      '--stack-name prod-petstore-inventory',
  );
  await deployer.run("npx cdk destroy 'prod/*' --force");
  const { tables = [], ...others } = await stages.prod.remains();
  expect(others).toStrictEqual({ roles: [logRole('prod')] });
  expect(tables).toHaveLength(2);
  for (const name of tables) {
    const table = `--table-name ${name}`;
    await administrator.run(`aws dynamodb update-table --no-deletion-protection-enabled ${table}`);
    await administrator.run(`aws dynamodb delete-table ${table}`);
  }
  expect(await stages.prod.remains()).toStrictEqual({ roles: [logRole('prod')] });
});
