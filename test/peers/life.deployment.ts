// The life of both stages in an account, from the bootstrap to the teardown, with the commands of
// the operators' pages as the people run them who need no more permissions.
import { expect } from '@jest/globals';
import { startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { pageOf } from './ministack/page.ts';
import { part } from './ministack/parts.ts';
import { ofDeployer, ofOperator, toRecover, toRun } from './ministack/policies.ts';
import { allKinds, deployedStage, forStage } from './ministack/stage.ts';

const firstDeployment = pageOf('docs/deploy.md#first-deployment');
const release = pageOf('docs/deploy.md#release');
const whenItFails = pageOf('docs/deploy.md#when-a-deployment-fails');
const rollBack = pageOf('docs/runbook.md#roll-back');
const tearDown = pageOf('docs/deploy.md#tear-down');
const leaked = pageOf('docs/runbook.md#a-key-has-leaked');
const undo = pageOf('docs/stock-and-recovery.md#undo-an-import');
const restoreKeys = pageOf('docs/stock-and-recovery.md#restore-keys');

const checkout = checkOut();
const { administrator, user } = await startAccount(checkout.directory);
const ofBothStages = [...ofOperator('staging'), ...ofOperator('prod')];
const deployer = await user('deployer', ofDeployer);
const operator = await user('operator', ofBothStages);
const onCall = await user('on-call', [
  ...toRun('docs/deploy.md#when-a-deployment-fails'),
  ...toRun('docs/runbook.md#roll-back'),
]);
const recoverer = await user('recoverer', [...ofBothStages, ...toRecover]);

const stages = {
  staging: deployedStage(administrator, 'staging'),
  prod: deployedStage(administrator, 'prod'),
};
type StageName = keyof typeof stages;
const stageNames = Object.keys(stages) as StageName[];
const apiKeys = { staging: '', prod: '' };

/** Returns the commands with which the deployer releases. */
const releaseCommand = (options = '') =>
  `${setKeys()} && ${release.command('petstore release')} --yes ${options}`;
const setKeys = () =>
  release.command('export', {
    'PETSTORE_STAGING_API_KEY=…': `PETSTORE_STAGING_API_KEY=${apiKeys.staging}`,
    'PETSTORE_PROD_API_KEY=…': `PETSTORE_PROD_API_KEY=${apiKeys.prod}`,
  });
const released = ' and keeps the contract.';

/** Returns the status of a list, as a client gets it. */
const listed = (stage: StageName): Promise<number> => stages[stage].listStatus(apiKeys[stage]);

part('1. an administrator alone can bootstrap the account', async () => {
  const bootstrap = firstDeployment.command('cdk bootstrap');
  expect(await deployer.end(bootstrap)).toMatchObject({ code: 1 });
  await administrator.run(bootstrap);
});

part('2. both stages are deployed, get a key and stock, and keep the contract', async () => {
  for (const stage of stageNames) {
    const command = (containing: string, values = {}) =>
      forStage(stage, firstDeployment.command(containing, values));
    const options = stage === 'prod' ? ' --yes' : '';
    const printed = await deployer.run(command('cdk deploy'));
    const [baseUrl = ''] = printed.match(/(?<=BaseUrl = )\S+/) ?? [];

    const key = (await operator.run(`${command('keys create')}${options}`)).trim();
    await operator.run(`${command('inventory import')}${options}`);
    const setKey = command('export ACCEPTANCE_API_KEY', { 'petstore_staging_…': key });
    const place = { 'https://API_ID.execute-api.REGION.amazonaws.com/staging/v1': baseUrl };
    const check = `${command('acceptance', place)} ${stage === 'prod' ? '--read-only' : ''}`;
    expect(await operator.run(`${setKey} && ${check}`)).toContain(`${baseUrl} keeps the contract`);

    apiKeys[stage] = key;
    expect(await stages[stage].status()).toBe('CREATE_COMPLETE');
    expect(await listed(stage)).toBe(200);
  }
});

part(
  '3. a release publishes new versions and keeps the old ones, unless nothing changed',
  async () => {
    const changed = ['authorizer', 'list-inventory', 'update-inventory'];
    for (const name of changed) {
      checkout.append(`functions/${name}.ts`, 'export const build = 2;\n');
    }
    for (const _time of ['with a change', 'without one']) {
      expect(await deployer.run(releaseCommand())).toContain(released);
      for (const stage of stageNames) {
        const both = { kept: ['1', '2'], live: '2' };
        expect(await stages[stage].versions()).toEqual(changed.map(() => both));
        expect(await listed(stage)).toBe(200);
      }
    }
  },
);

/** Makes the next deployment of staging fail, until the returned function is called. */
const breakStaging = () => {
  const head = 'const staging: StageSettings = {';
  const none = 'arn:aws:wafv2:us-east-1:111122223333:regional/webacl/none/0';
  return checkout.edit('infra/settings/stages.ts', head, `${head} webAclArn: '${none}',`);
};

part(
  '4. an update that fails is rolled back, by itself or with the command of release',
  async () => {
    const repair = breakStaging();
    const { code, errors } = await deployer.end(releaseCommand());
    expect(code).toBe(8);
    expect(errors).toContain('petstore: cdk deploy failed.\nDone: nothing. To continue: ');
    expect(await stages.staging.status()).toBe('UPDATE_ROLLBACK_COMPLETE');
    expect(await listed('staging')).toBe(200);

    expect(await deployer.end(firstDeployment.command('cdk deploy'))).toMatchObject({ code: 1 });
    const show = (what: string) =>
      onCall.run(forStage('staging', whenItFails.command(`cloudformation ${what}`)));
    expect(await show('describe-stacks')).toMatch(/^UPDATE_FAILED\s+http/);
    expect(await show('describe-stack-events')).toContain('AWS::WAFv2::WebACLAssociation');
    const command = forStage('staging', whenItFails.command('cdk rollback'));
    const stopped = await deployer.end(releaseCommand('--stage staging'));
    expect(stopped.code).toBe(8);
    expect(stopped.errors).toContain(`is UPDATE_FAILED.\nRoll it back: ${command}\n`);

    await deployer.run(command);
    expect(await stages.staging.status()).toBe('UPDATE_ROLLBACK_COMPLETE');
    repair();
    expect(await deployer.run(releaseCommand('--stage staging'))).toContain(released);
  },
);

part('5. a bad version is taken out of service by the alias, until the next release', async () => {
  const revert = checkout.append('functions/list-inventory.ts', "throw new Error('a bug');\n");
  expect(await deployer.end(releaseCommand('--stage prod'))).toMatchObject({ code: 8 });
  expect(await listed('prod')).toBe(502);

  const list = rollBack.command('aws cloudformation list-stack-resources');
  const [NAME = ''] = (await onCall.run(list)).match(/[^"]*ListInventory[^"]*/) ?? [];
  const versions = rollBack.command('aws lambda list-versions-by-function', { NAME });
  expect(JSON.parse(await onCall.run(versions)).at(-1)).toEqual(['3', expect.any(String)]);
  const pointAt = (VERSION: string) =>
    onCall.run(rollBack.command('aws lambda update-alias', { NAME, VERSION }));
  await pointAt('2');
  expect(await listed('prod')).toBe(200);

  revert();
  await pointAt('3');
  checkout.edit('infra/settings/stages.ts', /CANARY_\w+/g, 'ALL_AT_ONCE');
  await deployer.run(rollBack.command('cdk deploy'));
  expect(await deployer.run(releaseCommand('--stage prod'))).toContain(released);
  expect(await listed('prod')).toBe(200);
});

/** Returns prod's stock, in CSV, as an operator exports it. */
const stock = async (): Promise<string> => {
  await operator.run(tearDown.command('inventory export'));
  return checkout.read('pets.csv');
};

part('5. lost stock comes back from an export', async () => {
  const before = await stock();
  await operator.run('npx --no -- petstore inventory remove 1 --stage prod --yes');
  const importAll = firstDeployment.command('inventory import', {
    'ops/sample-inventory.csv': 'pets.csv',
    staging: 'prod',
  });
  await operator.run(`${importAll} --yes`);
  expect(await stock()).toBe(before);
});

part('5. an import is undone with the table of an earlier moment', async () => {
  const before = await stock();
  const moment = new Date().toISOString();
  checkout.write('mistaken.csv', 'petId,quantity,status\r\n"1",999,sold\r\n777,1,sold\r\n');
  const options = '--on-conflict replace --stage prod --yes';
  await operator.run(`npx --no -- petstore inventory import mistaken.csv ${options}`);
  expect(await stock()).toContain('\n1,999,sold\n');

  const run = (containing: string, values = {}) => recoverer.run(undo.command(containing, values));
  const outputs = JSON.parse(await run('aws cloudformation describe-stacks'));
  const source = outputs.find(({ OutputKey = '' }) => OutputKey === 'InventoryTableName');
  await run('--source-table-name INVENTORY', {
    INVENTORY_TABLE_NAME: source.OutputValue,
    '2027-01-31T12:00:00Z': moment,
  });
  await run('dynamodb wait table-exists');
  await run('echo petId');
  await run('petId.N');
  await run('plain.csv #');
  await run('> undo.csv');
  await run('> created.txt');
  expect(checkout.read('undo.csv')).toBe('petId,quantity,status\n1,12,available\n');
  expect(checkout.read('created.txt')).toBe('777\n');
  await run('--dry-run');
  await run('inventory remove --yes', { '--stage prod &&': '--stage prod --yes &&' });
  await run('dynamodb delete-table');
  expect(await stock()).toBe(before);
});

part('5. API keys that are gone are put back', async () => {
  const { ApiKeysTableName: TABLE = '' } = await stages.prod.outputs();
  const moment = new Date().toISOString();
  const [{ keyHash }] = await stages.prod.items(TABLE);
  const Key = JSON.stringify({ keyHash });
  await administrator.run(`aws dynamodb delete-item --table-name ${TABLE} --key '${Key}'`);
  await stages.prod.flush();
  expect(await listed('prod')).toBe(401);

  await recoverer.run(
    restoreKeys.command('--source-table-name API_KEYS', {
      API_KEYS_TABLE_NAME: TABLE,
      '2027-01-31T12:00:00Z': moment,
    }),
  );
  await recoverer.run(restoreKeys.command('to_string'));
  await recoverer.run(restoreKeys.command('put-item', { API_KEYS_TABLE_NAME: TABLE }));
  await recoverer.run(restoreKeys.command('dynamodb delete-table'));
  await stages.prod.flush();
  expect(await listed('prod')).toBe(200);
  const all = await recoverer.run(`${restoreKeys.command('keys list')} --stage prod --json`);
  expect(JSON.parse(all)).toHaveLength(1);
});

part('5. a leaked key stops at once', async () => {
  const listKeys = 'npx --no -- petstore keys list --stage staging --json';
  const [{ id }] = JSON.parse(await operator.run(listKeys));
  expect(await listed('staging')).toBe(200);
  const find = forStage('staging', leaked.command('keys find'));
  expect(await operator.run(`${find} <<< ${apiKeys.staging}`)).toContain(id);
  const revoke = forStage('staging', leaked.command('keys revoke ID --now', { ID: id }));
  expect(await operator.run(revoke)).toMatch(/has stopped working\.\n$/);
  expect(await listed('staging')).toBe(401);
});

part('7. what a destroyed stage leaves is what the page says', async () => {
  // Nothing of staging is left of kinds of which something of prod is found.
  expect(Object.keys(await stages.prod.remains())).toEqual(allKinds);
  await deployer.run(`${tearDown.command("cdk destroy 'staging/*'")} --force`);
  const logRole = expect.stringMatching(/^staging-petstore-inventory-ApiCloudWatchRole/);
  expect(await stages.staging.remains()).toEqual({ roles: [logRole] });

  const destroyProd = `${tearDown.command("cdk destroy 'prod/*'")} --force`;
  const refused = await deployer.end(destroyProd);
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain('TerminationProtection');
  await administrator.run(tearDown.command('update-termination-protection'));
  await deployer.run(destroyProd);
  const { tables = [], ...others } = await stages.prod.remains();
  expect(tables).toHaveLength(2);
  expect(others).toEqual({ roles: [expect.stringMatching(/^prod-.*-ApiCloudWatchRole/)] });
});

part('7. the tables that prod left are deleted with the command of the page', async () => {
  const { tables = [] } = await stages.prod.remains();
  for (const NAME of tables) {
    await administrator.run(tearDown.command('aws dynamodb update-table', { NAME }));
    await administrator.run(tearDown.command('aws dynamodb delete-table', { NAME }));
  }
  expect(await stages.prod.remains()).not.toHaveProperty('tables');
});
