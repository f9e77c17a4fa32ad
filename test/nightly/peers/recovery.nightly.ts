// The nights of an operator, with the blocks of docs/runbook.md as the people run them who need no
// more permissions. What a restore brings back is MiniStack's: never run on AWS.
import { beforeAll, expect, test } from '@jest/globals';
import { tableSpecs } from '../../../infra/service/tables.ts';
import { accountId, regions } from '../../deployment/ministack/ministack.ts';
import {
  commitsOf,
  deployFirst,
  prodAccount,
  runbook,
  stockOf,
} from '../../deployment/ministack/prod.ts';
import { deployedStage, type Request } from '../../deployment/ministack/stage.ts';
import { textOf } from '../../support/docs/markdown.ts';

const { checkout, administrator, deployer, operator, recoverer } = await prodAccount();
const prod = deployedStage(administrator, 'prod');
const petstore = 'npx --no -- petstore';

beforeAll(async () => {
  await deployer.run('git config user.name A && git config user.email a@example.com');
  await deployFirst(administrator);
});

/** Returns what a command of the AWS CLI prints. */
const ask = async (command: string): Promise<string> =>
  (await administrator.run(`aws ${command} --output text`)).trim();

test('a setting is changed where it runs, pushed, and undone by the commit before', async () => {
  const { Commit: runs = '' } = await prod.outputs();
  const [log] = Object.values(await prod.resources('::LogGroup'));
  const logs = `logs describe-log-groups --log-group-name-prefix ${log}`;
  const days = `${logs} --query 'logGroups[].retentionInDays'`;
  // On main, somebody has merged what is not to be released now.
  checkout.append('functions/list-inventory.ts', "throw new Error('a bug');\n");
  checkout.commit();
  const { code, output, errors } = await deployer.end(
    runbook('Change a setting', 0, { COMMIT: runs }),
  );
  expect({ code, head: checkout.head() }).toStrictEqual({ code: 0, head: runs });
  expect(output + errors).toContain('Number of stacks with differences: 0');
  checkout.edit('infra/settings/stages.ts', 'THREE_MONTHS', 'ONE_MONTH');
  await deployer.run(runbook('Change a setting', 1));
  expect(await ask(days)).toBe('30');

  expect((await commitsOf(deployer)).slice(-2)).toStrictEqual([runs, checkout.head()]);
  await deployer.run(runbook('Undo a deployment', 1, { FORMER_COMMIT: runs }));
  expect(await ask(days)).toBe('90');
});

test('what was changed by hand is seen', async () => {
  const drift = "npx cdk drift --fail 'prod/*'";
  expect(await administrator.end(drift)).toMatchObject({ code: 0 });
  const [name] = Object.values(await prod.resources('::Lambda::Function'));
  const change = `lambda update-function-configuration --function-name ${name} --memory-size`;
  await ask(`${change} 512`);
  expect(await administrator.end(drift)).toMatchObject({ code: 1 });
  await ask(`${change} 1024`);
});

test('stock is brought back as it was: what was deleted, changed and created', async () => {
  const before = await stockOf(operator);
  const { InventoryTableName: INVENTORY_TABLE_NAME = '' } = await prod.outputs();
  // MiniStack restores the present moment alone. So the restore comes before the mistakes.
  const values = { INVENTORY_TABLE_NAME, '2027-01-31T12:00:00Z': new Date().toISOString() };
  await recoverer.run(runbook('Bring stock back', 0, values));
  checkout.write('wrong.csv', 'petId,quantity,status\n1,999,sold\n777,1,sold\n');
  await operator.run(`${petstore} inventory import wrong.csv --replace --stage prod --yes`);
  await operator.run(`${petstore} inventory remove 3 --stage prod --yes`);
  expect(await stockOf(operator)).not.toStrictEqual(before);

  // diff ends with 1 if the files differ, which they should.
  expect(await recoverer.end(runbook('Bring stock back', 1))).toMatchObject({ code: 1 });
  await recoverer.run(runbook('Bring stock back', 2));
  await operator.run(`${petstore} inventory remove 777 --stage prod --yes`);
  await recoverer.run('aws dynamodb delete-table --table-name restored');
  expect(await stockOf(operator)).toStrictEqual(before);
});

/** Deletes a table of prod, which is protected against that. */
const deleteTable = async (table: string): Promise<void> => {
  await ask(`dynamodb update-table --no-deletion-protection-enabled --table-name ${table}`);
  await ask(`dynamodb delete-table --table-name ${table}`);
};

const isProtected = (table: string): Promise<string> =>
  ask(`dynamodb describe-table --table-name ${table} --query Table.DeletionProtectionEnabled`);

test('a table that was deleted is restored under its name, and protected', async () => {
  const before = await stockOf(operator);
  const { InventoryTableName: table = '' } = await prod.outputs();
  // DynamoDB itself makes one when a table is deleted.
  await ask(`dynamodb create-backup --table-name ${table} --backup-name deleted`);
  await deleteTable(table);
  expect(await prod.statusFor()).toBe(500);

  const backups = await recoverer.run(runbook('A table was deleted', 0));
  const [, name, arn = ''] = backups.trim().split('\t');
  expect(name).toBe(table);
  const values = { TABLE_NAME: table, BACKUP_ARN: arn };
  await recoverer.run(runbook('A table was deleted', 1, values));
  await recoverer.run(runbook('A table was deleted', 2, values));
  const recovery = `dynamodb describe-continuous-backups --table-name ${table}`;
  const status = '*.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus';
  expect(await ask(`${recovery} --query '${status}'`)).toBe('ENABLED');
  expect(await isProtected(table)).toBe('True');
  expect(await prod.statusFor()).toBe(200);
  expect(await stockOf(operator)).toStrictEqual(before);
});

test('receipts that were deleted are an empty table again, and updates are served', async () => {
  const { ReceiptsTableName: table = '' } = await prod.outputs();
  await deleteTable(table);
  const sale: Request = {
    method: 'PATCH',
    path: '/inventory/2',
    body: '{"quantity":3}',
    headers: { 'Idempotency-Key': 'sale-1' },
  };
  expect(await prod.statusFor(sale)).toBe(500);

  await recoverer.run(runbook('A table was deleted', 3, { TABLE_NAME: table }));
  expect(await isProtected(table)).toBe('True');
  const attribute = '--query TimeToLiveDescription.AttributeName';
  expect(await ask(`dynamodb describe-time-to-live --table-name ${table} ${attribute}`)).toBe(
    tableSpecs.Receipts.timeToLiveAttribute,
  );
  expect(await prod.statusFor(sale)).toBe(200);
});

test('prod moves to another region with the file of the nightly export', async () => {
  await administrator.run('aws s3 mb s3://exports');
  const [, nightly = ''] =
    /^17 3 \* \* \* cd petstore && (.*)$/m.exec(textOf('docs/deploy.md')) ?? [];
  const line = nightly
    .replaceAll('\\%', '%')
    .replace('BUCKET', 'exports')
    .replace('curl -fsS -o /dev/null HEARTBEAT_URL', 'echo called');
  expect(await administrator.run(line)).toMatch(/called\n$/);
  const before = await stockOf(operator);
  await administrator.run('aws s3 cp s3://exports/$(date +%F).csv fetched.csv && rm ~/prod-key');

  const [, region] = regions;
  const head = 'const prod: StageSettings = {';
  const env = `env: { account: '${accountId}', region: '${region}' },`;
  const undo = checkout.edit('infra/settings/stages.ts', head, `${head} ${env}`);
  const there = administrator.in(region);
  await deployFirst(there, 'fetched.csv');
  expect(await deployedStage(there, 'prod').statusFor()).toBe(200);
  expect(await stockOf(there)).toStrictEqual(before);
  undo();
});
