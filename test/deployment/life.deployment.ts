// The life of both stages in an account, from the bootstrap to the teardown, with the commands of
// the operators' pages as the people run them who need no more permissions. MiniStack keeps a stack
// policy, but lets deployments do what it denies.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { blocksOf, sectionOf, textOf } from '../support/docs/markdown.ts';
import { prod } from '../support/stack/stages.ts';
import { startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { accountId, customDomain, regions } from './ministack/ministack.ts';
import { allowedBy } from './ministack/policies.ts';
import { allKinds, connection, deployedStage } from './ministack/stage.ts';

const checkout = checkOut();
const { administrator, user } = await startAccount(checkout.directory);
const ofBothStages = (role: string) =>
  ['staging', 'prod'].flatMap((stage) => allowedBy(`${stage}-${role}`));
const deployer = await user('deployer', ofBothStages('deployer'));
const operator = await user('operator', ofBothStages('operator'));
const recoverer = await user('recoverer', ['prod-operator', 'prod-recoverer'].flatMap(allowedBy));

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
const breakStage = (stage: StageName): (() => void) => {
  const none = `'arn:aws:wafv2:us-east-1:${accountId}:regional/webacl/none/0'`;
  const repair = checkout.edit(
    'infra/api/firewall.ts',
    'webAclArn: this.attrArn',
    `webAclArn: ${none}`,
  );
  const limits = '{ lists: 150, all: 12_000 }';
  const withFirewall = `firewall: { perAddress: ${limits}, perKey: ${limits} },`;
  const undo = stage === 'prod' ? () => {} : set(stage, withFirewall);
  return () => {
    repair();
    undo();
  };
};

/** Returns a block of a page's section, by its index or a part of it, with its placeholders replaced. */
const blockOf = (page: string, heading: string, which: number | string, values = {}): string => {
  const blocks = blocksOf(sectionOf(textOf(page), heading), 'sh');
  const isMeant = (text: string, index: number) =>
    typeof which === 'number' ? index === which : text.includes(which);
  const block = blocks.find(isMeant) ?? '';
  return Object.entries<string>(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    // A person is asked before prod is changed.
    block.replaceAll(/(petstore inventory import .*--stage prod)\b/g, '$1 --yes'),
  );
};
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
    `aws cloudformation set-stack-policy --stack-name ${stage}-petstore-inventory ` +
      '--stack-policy-body file://infra/stack-policy.json',
    `curl --fail --silent --show-error --output /dev/null ${connection} ` +
      '--header "Authorization: Bearer $PETSTORE_API_KEY" "$PETSTORE_BASE_URL/inventory"',
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
  expect(Object.keys(tables)).toHaveLength(3);

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
  expect(await release('staging')).toMatchObject({ code: 0 });
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

/** npm would install all packages anew. */
const withoutInstall = 'npm() { [ "$1" = ci ] || command npm "$@"; }\n';
const checkOutWhatRuns = () =>
  deployer.end(withoutInstall + blockOf('docs/runbook.md', 'Check out what runs', 0));
const deployProd = "npx cdk deploy 'prod/*'";

/** Returns the commits that have been deployed to prod, as whoever may deploy sees them. */
const deployedCommits = async (): Promise<(string | undefined)[]> => {
  const history = await deployer.run(
    blockOf('docs/runbook.md', 'Undo a deployment', 'get-parameter-history'),
  );
  return history
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[1]);
};
const goBackTo = (commit: string): Promise<string> =>
  deployer.run(
    withoutInstall +
      blockOf('docs/runbook.md', 'Undo a deployment', 'FORMER_COMMIT', { FORMER_COMMIT: commit }),
  );
/** Returns how prod's last deployment shifted its traffic: one value for each function. */
const shiftsOfProd = async (): Promise<string[]> => {
  const command = 'aws cloudformation get-template --stack-name prod-petstore-inventory';
  const { TemplateBody } = JSON.parse(await administrator.run(command));
  const template = typeof TemplateBody === 'string' ? TemplateBody : JSON.stringify(TemplateBody);
  return template.match(/CodeDeployDefault\.Lambda\w+/g) ?? [];
};
const withCanary = Array(3).fill('CodeDeployDefault.LambdaCanary10Percent15Minutes');
const ringing = async (): Promise<string[]> => {
  const query = "--query 'MetricAlarms[].AlarmName' --output json";
  const alarms = `aws cloudwatch describe-alarms --state-value ALARM ${query}`;
  const names: string[] = JSON.parse(await administrator.run(alarms));
  return names.filter((name) => name.includes('NewVersion'));
};

test('5. a bad version is undone by the commit before it, and the next release deploys', async () => {
  const former = checkout.commit();
  await deployer.run(deployProd);
  checkout.append('functions/list-inventory.ts', "throw new Error('a bug');\n");
  const bad = checkout.commit();
  expect(await release('prod')).toMatchObject({ code: 1 });
  expect(await listed('prod')).toBe(502);
  expect(await shiftsOfProd()).toStrictEqual(withCanary);

  expect((await deployedCommits()).slice(-2)).toStrictEqual([former, bad]);
  await goBackTo(former);
  expect(await listed('prod')).toBe(200);
  const [{ live } = { live: '' }, ...others] = await stages.prod.versions();
  expect(others.map((each) => each.live)).toStrictEqual([live, live]);
  expect(await shiftsOfProd()).toStrictEqual(Array(3).fill('CodeDeployDefault.LambdaAllAtOnce'));
  expect(await ringing()).toStrictEqual([]);

  checkout.append('functions/authorizer.ts', 'export const next = 3;\n');
  checkout.commit();
  expect(await release('prod')).toMatchObject({ code: 0 });
  const next = String(Number(live) + 1);
  expect((await stages.prod.versions()).map((each) => each.live)).toStrictEqual([next, next, next]);
  expect(await shiftsOfProd()).toStrictEqual(withCanary);
});

test('5. a deployment that changed settings alone is undone by the commit before it', async () => {
  const daysOfLogs = async () => {
    const [name = ''] = Object.values(await stages.prod.resources('::LogGroup'));
    const command = `aws logs describe-log-groups --log-group-name-prefix ${name}`;
    return JSON.parse(await administrator.run(command)).logGroups[0].retentionInDays;
  };
  const former = checkout.commit();
  await deployer.run(deployProd);
  expect(await daysOfLogs()).toBe(90);
  checkout.edit('infra/settings/stages.ts', 'THREE_MONTHS', 'ONE_MONTH');
  const identity = 'git config user.name A && git config user.email a@example.com';
  await deployer.run(`${identity} && ${blockOf('docs/runbook.md', 'Change a setting', 0)}`);
  const bad = checkout.head();
  await deployer.run('git remote add origin .');
  await deployer.run(blockOf('docs/runbook.md', 'Change a setting', 1));
  const branches = await deployer.run(
    "git for-each-ref --format '%(objectname)' 'refs/heads/setting-*'",
  );
  expect(branches.trim()).toBe(bad);
  expect(await daysOfLogs()).toBe(30);

  expect((await deployedCommits()).slice(-2)).toStrictEqual([former, bad]);
  await goBackTo(former);
  expect(await daysOfLogs()).toBe(90);
  const before = await stages.prod.versions();
  await deployer.run(blockOf('docs/runbook.md', 'Undo a deployment', 2));
  expect(await shiftsOfProd()).toStrictEqual(withCanary);
  expect(await stages.prod.versions()).toStrictEqual(before);
});

test('5. what runs is checked out, unless files run that no commit has', async () => {
  const runs = checkout.head();
  checkout.append('functions/list-inventory.ts', "throw new Error('a bug');\n");
  checkout.commit();
  expect(await checkOutWhatRuns()).toMatchObject({ code: 0 });
  expect(checkout.head()).toBe(runs);

  const undo = checkout.append('infra/service-app.ts', '// Not committed.\n');
  await deployer.run(deployProd);
  undo();
  const { code, errors } = await checkOutWhatRuns();
  expect(code).not.toBe(0);
  expect(errors).toContain(`${runs}-dirty`);
  await deployer.run(deployProd);
});

test('5. what was changed by hand is seen', async () => {
  const drift = "npx cdk drift --fail 'prod/*'";
  expect(await administrator.end(drift)).toMatchObject({ code: 0 });
  const [name] = Object.values(await stages.prod.resources('::Lambda::Function'));
  const change = `aws lambda update-function-configuration --function-name ${name} --memory-size`;
  await administrator.run(`${change} 512`);
  expect(await administrator.end(drift)).toMatchObject({ code: 1 });
  await administrator.run(`${change} 1024`);
});

/**
 * MiniStack has no CodeDeploy. The AWS CLI checks the arguments of a call of it, and the answer is that
 * one deployment of each group is running.
 */
const codeDeploy = `aws() {
  [ "$1" = deploy ] || { command aws "$@"; return; }
  command aws "$@" --generate-cli-skeleton output > /dev/null || exit 1
  case "$2 $3 $5" in
    'list-deployments --application-name --deployment-group-name') echo "$4/$6" ;;
    stop-deployment*) echo "$*" ;;
  esac
}`;

test('5. a deployment is stopped in all groups', async () => {
  const [application] = Object.values(await stages.prod.resources('::Application'));
  const groups = Object.values(await stages.prod.resources('::DeploymentGroup'));
  expect(groups).toHaveLength(3);
  const stop = blockOf('docs/runbook.md', 'Stop a deployment', 0);
  const stopped = (await deployer.run(`${codeDeploy}\n${stop}`)).trim().split('\n');
  const expected = groups.map(
    (group) =>
      `deploy stop-deployment --deployment-id ${application}/${group} --auto-rollback-enabled`,
  );
  expect(stopped.toSorted()).toStrictEqual(expected.toSorted());
});

const recovery = 'docs/stock-and-recovery.md';

/** Runs a block of a page's section, up to the first command that fails. */
const recover = (heading: string, which: number | string, values = {}): Promise<string> =>
  recoverer.run(`set -e\n${blockOf(recovery, heading, which, values)}`);

/** Returns prod's stock, in CSV, as an operator exports it. */
const stock = (): Promise<string> => operator.run(`${petstore} inventory export --stage prod`);

const someMoment = '2027-01-31T12:00:00Z';

/** Spoils the stock, and restores what it was with the blocks of the page that choose entries. */
const spoilAndRestore = async (spoil: () => Promise<unknown>, choose: [number, object?]) => {
  const before = await stock();
  const moment = new Date().toISOString();
  await spoil();
  expect(await stock()).not.toBe(before);
  await recover('Restore stock', 0, { [someMoment]: moment });
  await recover('Restore stock', 1);
  await recover('Restore stock', ...choose);
  await recover('Restore stock', 5);
  await recover('Restore stock', 6);
  expect(await stock()).toBe(before);
};
const replace = '--replace --stage prod --yes';

test('6. an entry that was deleted is restored', async () => {
  const remove = `${petstore} inventory remove 2 --stage prod --yes`;
  await spoilAndRestore(() => operator.run(remove), [2, { 42: '2' }]);
});

test('6. an import is undone with the table of an earlier moment', async () => {
  checkout.write('mistaken.csv', 'petId,quantity,status\r\n"1",999,sold\r\n777,1,sold\r\n');
  const mistake = `${petstore} inventory import mistaken.csv ${replace}`;
  await spoilAndRestore(() => operator.run(mistake), [3]);
});

test('6. when everything is wrong, the stock becomes what it was', async () => {
  checkout.write('wrong.csv', 'petId,quantity,status\n1,999,sold\n777,1,sold\n');
  const spoil = `${petstore} inventory import wrong.csv ${replace} && ${petstore} inventory remove 3 --stage prod --yes`;
  await spoilAndRestore(() => operator.run(spoil), [4]);
});

test('6. what a leaked key has changed is set back', async () => {
  const create = `${petstore} keys create --name leaked --stage prod --yes`;
  const leaked = (await operator.run(create)).trim();
  const before = await stock();
  for (const quantity of [901, 902]) {
    const body = JSON.stringify({ quantity });
    const request = { method: 'PATCH', path: '/inventory/2', body } as const;
    expect(await stages.prod.statusFor(leaked, request)).toBe(200);
  }
  expect(await stock()).not.toBe(before);

  // As Logs Insights exports it.
  const [, quantity] = before.match(/^2,(\d+),/m) ?? [];
  checkout.write('leaked.csv', `petId,quantity\r\n"2",${quantity}\r\n`);
  for (const part of ['awk', 'replace --stage']) {
    await operator.run(`set -e\n${blockOf('docs/keys.md', 'A leaked key', part)}`);
  }
  expect(await stock()).toBe(before);
});

test('6. API keys that are gone are put back', async () => {
  const { ApiKeysTableName: table = '' } = await stages.prod.outputs();
  const moment = new Date().toISOString();
  const items: { name: { S: string }; keyHash: object }[] = await stages.prod.items(table);
  const { keyHash } = items.find(({ name }) => name.S === 'release') ?? {};
  const key = JSON.stringify({ keyHash });
  await administrator.run(`aws dynamodb delete-item --table-name ${table} --key '${key}'`);
  await stages.prod.flush();
  expect(await listed('prod')).toBe(401);

  await recover('Restore keys', 0, { [someMoment]: moment });
  // Each block is run in a shell of its own.
  await recover('Restore keys', 1);
  // It fails for the keys that still exist, and goes on.
  await recoverer.end(blockOf(recovery, 'Restore keys', 2, { $TABLE: table }));
  await recover('Restore keys', 3);
  await stages.prod.flush();
  expect(await listed('prod')).toBe(200);
});

test('6. a table that was deleted is restored under its name, with its settings', async () => {
  const before = await stock();
  const { InventoryTableName: table = '' } = await stages.prod.outputs();
  await administrator.run(
    `aws dynamodb update-table --no-deletion-protection-enabled --table-name ${table}`,
  );
  await administrator.run(`aws dynamodb delete-table --table-name ${table}`);
  expect(await listed('prod')).toBe(500);

  const printed = await recover('A table was deleted', 0);
  const [, name = '', arn = ''] = printed.trim().split('\t');
  expect(name).toBe(table);
  const values = { TABLE_NAME: name, BACKUP_ARN: arn };
  await recover('A table was deleted', 1, values);
  await recover('A table was deleted', 2, values);
  // Not compared with the table before, because MiniStack takes few settings from a stack.
  const { ceiling } = prod;
  expect(await stages.prod.table(table)).toStrictEqual({
    DeletionProtectionEnabled: true,
    BillingMode: 'PAY_PER_REQUEST',
    OnDemandThroughput: {
      MaxReadRequestUnits: ceiling?.read,
      MaxWriteRequestUnits: ceiling?.write,
    },
    PointInTimeRecoveryStatus: 'ENABLED',
  });
  expect(await listed('prod')).toBe(200);
  expect(await stock()).toBe(before);
});

test('6. an empty table takes the place of receipts that were deleted', async () => {
  const tables = await stages.prod.resources('::GlobalTable');
  const [, table] = Object.entries(tables).find(([id]) => id.startsWith('ReceiptsTable')) ?? [];
  const headers = { 'Idempotency-Key': 'order-1-1' };
  const ofNobody = {
    method: 'PATCH',
    path: '/inventory/-1',
    body: '{"quantity":1}',
    headers,
  } as const;
  const answered = () => stages.prod.statusFor(apiKeys.prod, ofNobody);
  expect(await answered()).toBe(404);
  await administrator.run(
    `aws dynamodb update-table --no-deletion-protection-enabled --table-name ${table}`,
  );
  await administrator.run(`aws dynamodb delete-table --table-name ${table}`);
  expect(await answered()).toBe(500);

  await recover('The table of receipts', 0);
  expect(await answered()).toBe(404);
  expect(await stages.prod.table(String(table))).toMatchObject({
    DeletionProtectionEnabled: true,
    BillingMode: 'PAY_PER_REQUEST',
    PointInTimeRecoveryStatus: 'DISABLED',
  });
  const expiry = await administrator.run(
    `aws dynamodb describe-time-to-live --table-name ${table} --output text`,
  );
  expect(expiry.trim().split('\t').slice(1)).toStrictEqual(['expiresAt', 'ENABLED']);
});

const moveAway = 'A region is down';
/** A scan has no order. */
const linesOf = (csv: string): string[] => csv.trim().split('\n').toSorted();
const fetchedStock = () => linesOf(readFileSync(`${checkout.directory}/restored.csv`, 'utf8'));

test('6. the nightly export copies stock and keys to a bucket, and calls the monitor', async () => {
  const { ApiKeysTableName: API_KEYS_TABLE = '' } = await stages.prod.outputs();
  await administrator.run('aws s3 mb s3://exports');
  const [, nightly = ''] = /^17 3 \* \* \* cd petstore && (.*)$/m.exec(textOf(recovery)) ?? [];
  const line = nightly
    .replaceAll('\\%', '%')
    .replace('API_KEYS_TABLE', API_KEYS_TABLE)
    .replaceAll('BUCKET', 'exports')
    .replace('curl -fsS HEARTBEAT_URL', 'echo called');
  expect(await administrator.run(line)).toMatch(/called\n$/);
  const files = await administrator.run('aws s3 ls s3://exports');
  expect(files.match(/\.\w+$/gm)).toStrictEqual(['.csv', '.txt']);
  await administrator.run('aws s3 cp s3://exports/$(date +%F).csv restored.csv');
  await administrator.run('aws s3 cp s3://exports/$(date +%F).txt keys.txt');
  expect(fetchedStock()).toStrictEqual(linesOf(await stock()));
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
  expect(tables).toHaveLength(3);
  for (const name of tables) {
    const table = `--table-name ${name}`;
    await administrator.run(`aws dynamodb update-table --no-deletion-protection-enabled ${table}`);
    await administrator.run(`aws dynamodb delete-table ${table}`);
  }
  expect(await stages.prod.remains()).toStrictEqual({ roles: [logRole('prod')] });
});

test('8. prod moves to another region, and an old key lists the old stock', async () => {
  const [, region] = regions;
  const variables = { AWS_REGION: region, AWS_DEFAULT_REGION: region };
  const run = (command: string) => administrator.run(command, variables);
  const move = (which: string) =>
    run(`set -e\n${blockOf(recovery, moveAway, which, { NEW_REGION: region })}`);
  const moved = deployedStage({ ...administrator, run }, 'prod');
  checkout.edit('infra/settings/stages.ts', /customDomain: .*\n?.*?\},/, '');
  set('prod', `env: { account: '${accountId}', region: '${region}' },`);
  await move('git commit');
  await move('cdk bootstrap');
  expect(await moved.statusFor(apiKeys.prod)).toBe(401);

  await move('inventory import restored.csv');
  await moved.flush();
  expect(await moved.statusFor(apiKeys.prod)).toBe(200);
  const exported = await run(`${petstore} inventory export --stage prod`);
  expect(linesOf(exported)).toStrictEqual(fetchedStock());
});
