// First deployments that fail, and the optional settings of which only a deployment shows what they
// do. What they change in the template is in test/infra/templates.
import { expect, test } from '@jest/globals';
import { startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { accountId, customDomain } from './ministack/ministack.ts';
import { ofDeployer, ofOperator } from './ministack/policies.ts';
import { deployedStage } from './ministack/stage.ts';

const checkout = checkOut();
const { administrator, user } = await startAccount(checkout.directory);
const deployer = await user('deployer', ofDeployer('prod'));
const operator = await user('operator', ofOperator('prod'));
await administrator.run('npx cdk bootstrap');

const prod = deployedStage(administrator, 'prod');
const deployFirst = "npx cdk deploy --no-rollback 'prod/*'";
const deploy = "npx cdk deploy 'prod/*'";

const file = 'infra/settings/stages.ts';
const head = 'const prod: StageSettings = {';
/** Sets settings of prod, written as TypeScript. Returns how to undo that. */
const set = (more: string) => checkout.edit(file, head, `${head} ${more}`);

/** Reserves concurrency for prod's lists. Returns how to undo that. */
const reserve = (executions: number) => {
  const list = /(?<=prod: StageSettings[\s\S]*list: \{)/;
  return checkout.edit(file, list, `reservedConcurrency: ${executions},`);
};

/** Makes the next deployment of prod fail, until the returned function is called. */
const breakProd = () =>
  set(`webAclArn: 'arn:aws:wafv2:us-east-1:${accountId}:regional/webacl/none/0',`);

test('1. a first deployment with a rollback leaves a stack whose protection must go first', async () => {
  const repair = breakProd();
  expect(await deployer.end(deploy)).toMatchObject({ code: 1 });
  expect(await prod.status()).toBe('ROLLBACK_COMPLETE');
  repair();
  const refused = await deployer.end(deployFirst);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.errors).toContain('TerminationProtection');
  await administrator.run(
    'aws cloudformation update-termination-protection --no-enable-termination-protection ' +
      '--stack-name prod-petstore-inventory',
  );
});

test('2. a first deployment that fails twice goes on where it stopped, with its tables', async () => {
  const repair = breakProd();
  expect(await deployer.end(deployFirst)).toMatchObject({ code: 1 });
  expect(await prod.status()).toBe('CREATE_FAILED');
  const tables = await prod.resources('::GlobalTable');
  expect(Object.keys(tables)).toHaveLength(2);

  expect(await deployer.end(deployFirst)).toMatchObject({ code: 1 });
  expect(await prod.status()).toBe('UPDATE_FAILED');
  expect(await prod.outputs()).toStrictEqual({});

  repair();
  await deployer.run(deployFirst);
  expect(await prod.status()).toBe('UPDATE_COMPLETE');
  expect(await prod.resources('::GlobalTable')).toStrictEqual(tables);
});

test('3. a reservation that AWS rejects is rolled back', async () => {
  const undo = reserve(950);
  const { output, errors } = await deployer.end(deploy);
  expect(output + errors).toContain(
    'UnreservedConcurrentExecution below its minimum value of [100]',
  );
  expect(await prod.status()).toBe('UPDATE_ROLLBACK_COMPLETE');
  undo();
});

test('4. with a customDomain and a reservation, both base URLs serve lists', async () => {
  const certificateArn = `arn:aws:acm:us-east-1:${accountId}:certificate/0`;
  set(`customDomain: { domainName: '${customDomain}', certificateArn: '${certificateArn}' },`);
  reserve(50);
  const { BaseUrl: before = '' } = await prod.outputs();
  await deployer.run(deploy);

  const { BaseUrl: after } = await prod.outputs();
  expect(after).toBe(`https://${customDomain}/v1`);
  const created = 'npx --no -- petstore keys create --name test --stage prod --yes';
  const apiKey = (await operator.run(created)).trim();
  expect(await prod.listStatus(apiKey, before)).toBe(200);
  expect(await prod.listStatus(apiKey, after)).toBe(200);
});

test('5. a literal env of another account deploys nothing, and of this one replaces nothing', async () => {
  const setEnv = (account: string) => set(`env: { account: '${account}', region: 'us-east-1' },`);
  const undo = setEnv('444455556666');
  expect(await deployer.end(deploy)).toMatchObject({ code: 1 });
  undo();

  setEnv(accountId);
  // Each change of the API makes a new deployment of API Gateway.
  const [deployment = ''] = Object.keys(await prod.resources('::Deployment'));
  const { [deployment]: _before, ...before } = await prod.resources();
  await deployer.run(deploy);
  expect(await prod.resources()).toMatchObject(before);
});
