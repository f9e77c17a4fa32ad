// The nights of an operator, with the blocks of docs/runbook.md as the people run them who need no more
// permissions. What a restore brings back is MiniStack's, and ours in server.py: never run on AWS.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { accountId, customDomain, regions } from '../../deployment/ministack/ministack.ts';
import {
  blockOf,
  commitsOf,
  prodAccount,
  prodOf,
  setUp,
  stockOf,
} from '../../deployment/ministack/prod.ts';
import { deployedStage } from '../../deployment/ministack/stage.ts';
import { textOf } from '../../support/docs/markdown.ts';
import { prod as settings } from '../../support/stack/stages.ts';

const { checkout, administrator, deployer, operator, recoverer } = await prodAccount();
const prod = prodOf(administrator);
const petstore = 'npx --no -- petstore';
const deploy = "npx cdk deploy 'prod/*'";
let apiKey = '';

/** Adds settings of prod, written as TypeScript. Returns how to undo that. */
const set = (added: string): (() => void) => {
  const head = 'const prod: StageSettings = {';
  return checkout.edit('infra/settings/stages.ts', head, `${head} ${added}`);
};

const certificateArn = `arn:aws:acm:us-east-1:${accountId}:certificate/0`;

beforeAll(async () => {
  await administrator.run('npx cdk bootstrap');
  await deployer.run('git config user.name A && git config user.email a@example.com');
  set(`customDomain: { domainName: '${customDomain}', certificateArn: '${certificateArn}' },`);
  checkout.commit();
  await deployer.run(deploy);
  apiKey = await setUp(administrator, operator);
});

/** Runs a block of the runbook, with somebody's permissions to recover. */
const recover = (heading: string, index: number, values = {}): Promise<string> =>
  recoverer.run(blockOf(heading, index, values));

const listed = (): Promise<number> => prod.statusFor(apiKey);

const daysOfLogs = async () => {
  const [name = ''] = Object.values(await prod.resources('::LogGroup'));
  const command = `aws logs describe-log-groups --log-group-name-prefix ${name}`;
  return JSON.parse(await administrator.run(command)).logGroups[0].retentionInDays;
};

test('a setting is changed where it runs, pushed as a branch, and undone by the commit before', async () => {
  const { Commit: runs = '' } = await prod.outputs();
  // On main, somebody has merged what is not to be released now.
  checkout.append('functions/list-inventory.ts', "throw new Error('a bug');\n");
  checkout.commit();
  const { code, output, errors } = await deployer.end(
    blockOf('Change a setting', 0, { COMMIT: runs }),
  );
  expect({ code, head: checkout.head() }).toStrictEqual({ code: 0, head: runs });
  expect(output + errors).toContain('Number of stacks with differences: 0');
  checkout.edit('infra/settings/stages.ts', 'THREE_MONTHS', 'ONE_MONTH');
  await deployer.run(blockOf('Change a setting', 1));
  const changed = checkout.head();
  expect(await daysOfLogs()).toBe(30);
  const branches = "git for-each-ref --format '%(objectname)' 'refs/heads/setting-*'";
  expect((await deployer.run(branches)).trim()).toBe(changed);

  expect((await commitsOf(deployer)).slice(-2)).toStrictEqual([runs, changed]);
  await deployer.run(blockOf('Undo a deployment', 1, { FORMER_COMMIT: runs }));
  expect(await daysOfLogs()).toBe(90);
});

test('what was changed by hand is seen', async () => {
  const drift = "npx cdk drift --fail 'prod/*'";
  expect(await administrator.end(drift)).toMatchObject({ code: 0 });
  const [name] = Object.values(await prod.resources('::Lambda::Function'));
  const change = `aws lambda update-function-configuration --function-name ${name} --memory-size`;
  await administrator.run(`${change} 512`);
  expect(await administrator.end(drift)).toMatchObject({ code: 1 });
  await administrator.run(`${change} 1024`);
});

test('stock is brought back as it was: what was deleted, changed and created', async () => {
  const before = await stockOf(operator);
  const { InventoryTableName: INVENTORY_TABLE_NAME } = await prod.outputs();
  const moment = new Date().toISOString();
  checkout.write('wrong.csv', 'petId,quantity,status\n1,999,sold\n777,1,sold\n');
  await operator.run(`${petstore} inventory import wrong.csv --replace --stage prod --yes`);
  await operator.run(`${petstore} inventory remove 3 --stage prod --yes`);
  expect(await stockOf(operator)).not.toStrictEqual(before);

  const values = { INVENTORY_TABLE_NAME, '2027-01-31T12:00:00Z': moment };
  await recover('Bring stock back', 0, values);
  // diff ends with 1 if the files differ, which they should.
  await recoverer.end(blockOf('Bring stock back', 1).replace('set -e', ''));
  await recover('Bring stock back', 2);
  await operator.run(`${petstore} inventory remove 777 --stage prod --yes`);
  await recoverer.run('aws dynamodb delete-table --table-name restored');
  expect(await stockOf(operator)).toStrictEqual(before);
});

/** Deletes a table of prod, which is protected against that. */
const deleteTable = async (table: string): Promise<void> => {
  const named = `--table-name ${table}`;
  await administrator.run(`aws dynamodb update-table --no-deletion-protection-enabled ${named}`);
  await administrator.run(`aws dynamodb delete-table ${named}`);
};

// Not compared with the table before, because MiniStack takes few settings from a stack.
const protectedTable = {
  DeletionProtectionEnabled: true,
  BillingMode: 'PAY_PER_REQUEST',
  OnDemandThroughput: {
    MaxReadRequestUnits: settings.ceiling?.read,
    MaxWriteRequestUnits: settings.ceiling?.write,
  },
};

test('a table that was deleted is restored under its name, with its settings', async () => {
  const before = await stockOf(operator);
  const { InventoryTableName: table = '' } = await prod.outputs();
  await deleteTable(table);
  expect(await listed()).toBe(500);

  const backups = (await recover('A table was deleted', 0)).trim().split('\n');
  const [, , arn = ''] =
    backups.map((line) => line.split('\t')).find(([, name]) => name === table) ?? [];
  const values = { TABLE_NAME: table, BACKUP_ARN: arn };
  await recover('A table was deleted', 1, values);
  await recover('A table was deleted', 2, values);
  expect(await prod.table(table)).toStrictEqual({
    ...protectedTable,
    PointInTimeRecoveryStatus: 'ENABLED',
  });
  expect(await listed()).toBe(200);
  expect(await stockOf(operator)).toStrictEqual(before);
});

test('receipts that were deleted are an empty table again, and updates are served', async () => {
  const { ReceiptsTableName: table = '' } = await prod.outputs();
  await deleteTable(table);
  const update = {
    method: 'PATCH',
    path: '/inventory/2',
    body: '{"quantity":3}',
    headers: { 'Idempotency-Key': randomUUID() },
  } as const;
  expect(await prod.statusFor(apiKey, update)).toBe(500);

  await recover('A table was deleted', 3, { TABLE_NAME: table });
  expect(await prod.table(table)).toStrictEqual({
    ...protectedTable,
    PointInTimeRecoveryStatus: 'DISABLED',
  });
  const timeToLive = `aws dynamodb describe-time-to-live --table-name ${table}`;
  expect(JSON.parse(await administrator.run(timeToLive))).toStrictEqual({
    TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' },
  });
  expect(await prod.statusFor(apiKey, update)).toBe(200);
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
  await administrator.run('aws s3 cp s3://exports/$(date +%F).csv fetched.csv');
  const exported = readFileSync(`${checkout.directory}/fetched.csv`, 'utf8');
  expect(exported.trim().split('\n').toSorted()).toStrictEqual(await stockOf(operator));

  const [, region] = regions;
  const variables = { AWS_REGION: region, AWS_DEFAULT_REGION: region };
  const run = (command: string) => administrator.run(command, variables);
  const moved = deployedStage({ ...administrator, run }, 'prod');
  const back = [
    checkout.edit('infra/settings/stages.ts', /customDomain: .*\n?.*?\},/, ''),
    set(`env: { account: '${accountId}', region: '${region}' },`),
  ];
  await run('npx cdk bootstrap');
  await run(deploy);
  await run(`${petstore} inventory import fetched.csv --stage prod --yes`);
  const key = await run(`${petstore} keys create --name shop --stage prod --yes`);
  expect(await moved.statusFor(key.trim())).toBe(200);
  expect(await stockOf({ ...administrator, run })).toStrictEqual(
    exported.trim().split('\n').toSorted(),
  );
  for (const undo of back.toReversed()) {
    undo();
  }
});
