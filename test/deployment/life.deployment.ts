// The life of prod in an account, from the bootstrap to the teardown, with the commands of the
// operators' pages as the people run them who need no more permissions. MiniStack lets deployments
// do what a stack policy denies, and has no CodeDeploy: it shows nothing of canaries.
import { expect, test } from '@jest/globals';
import { accountId } from './ministack/ministack.ts';
import {
  commitsOf,
  deploy,
  deployFirst,
  ofProd,
  prodAccount,
  runbook,
  stockOf,
} from './ministack/prod.ts';
import { deployedStage } from './ministack/stage.ts';

const { checkout, administrator, deployer, operator } = await prodAccount();
const prod = deployedStage(administrator, 'prod');

/** Builds and releases, up to the first command that fails. */
const release = async () =>
  deployer.end(deploy('Release', undefined, ofProd((await prod.outputs()).BaseUrl)));

test('1. prod is deployed with stock and a key, released, and keeps the contract', async () => {
  await deployFirst(administrator);
  const before = await stockOf(operator);
  expect(await release()).toMatchObject({ code: 0 });
  expect(await stockOf(operator)).toStrictEqual(before);
});

test('2. a release publishes new versions of all functions and keeps the old ones', async () => {
  checkout.append('functions/authorizer.ts', 'export const build = 2;\n');
  checkout.commit();
  expect(await release()).toMatchObject({ code: 0 });
  const both = { kept: ['1', '2'], live: '2' };
  expect(await prod.versions()).toStrictEqual([both, both, both]);
});

test('3. an update that fails is taken back with cdk rollback', async () => {
  const none = `'arn:aws:wafv2:us-east-1:${accountId}:regional/webacl/none/0'`;
  const repair = checkout.edit(
    'infra/api/firewall.ts',
    'webAclArn: this.attrArn',
    `webAclArn: ${none}`,
  );
  expect(await deployer.end("npx cdk deploy --no-rollback 'prod/*'")).toMatchObject({ code: 1 });
  expect(await prod.status()).toBe('UPDATE_FAILED');
  await deployer.run("npx cdk rollback 'prod/*'");
  expect(await prod.status()).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(await prod.statusFor()).toBe(200);
  repair();
});

test('4. a bad version is undone by the commit before it', async () => {
  const former = checkout.head();
  checkout.append('functions/list-inventory.ts', "throw new Error('a bug');\n");
  const bad = checkout.commit();
  expect(await release()).toMatchObject({ code: 1 });
  expect(await prod.statusFor()).toBe(502);

  const commits = (await commitsOf(deployer)).filter((commit) => !commit?.endsWith('-dirty'));
  expect(commits.slice(-2)).toStrictEqual([former, bad]);
  await deployer.run(runbook('Undo a deployment', 1, { FORMER_COMMIT: former }));
  expect(await prod.statusFor()).toBe(200);
  const live = (await prod.versions()).map((each) => each.live);
  expect(new Set(live).size).toBe(1);
});

test('5. prod is destroyed on purpose only, and leaves its tables', async () => {
  const tables = Object.values(await prod.resources('::GlobalTable')).toSorted();
  const destroy = "npx cdk destroy 'prod/*' --force";
  expect(await deployer.end(destroy)).not.toMatchObject({ code: 0 });
  await administrator.run(deploy('Tear down', 0, { [destroy.replace(' --force', '')]: destroy }));
  const { TableNames } = JSON.parse(await administrator.run('aws dynamodb list-tables'));
  expect(TableNames.toSorted()).toStrictEqual(tables);
  const functions = await administrator.run('aws lambda list-functions --query Functions');
  expect(JSON.parse(functions)).toStrictEqual([]);
});
