// First deployments that fail, and the optional settings of a stage.
import { expect } from '@jest/globals';
import { startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { accountId, customDomain } from './ministack/ministack.ts';
import { pageOf } from './ministack/page.ts';
import { part } from './ministack/parts.ts';
import { ofDeployer, ofOperator } from './ministack/policies.ts';
import { deployedStage, forStage } from './ministack/stage.ts';

const firstDeployment = pageOf('docs/deploy.md#first-deployment');
const settings = pageOf('docs/reference.md#customdomain');

const checkout = checkOut();
const { administrator, user } = await startAccount(checkout.directory);
const deployer = await user('deployer', ofDeployer);
const operator = await user('operator', ofOperator('prod'));
await administrator.run(firstDeployment.command('cdk bootstrap'));

const prod = deployedStage(administrator, 'prod');
const deployFirst = forStage('prod', firstDeployment.command('cdk deploy'));
const deploy = settings.command('npx cdk deploy');

const file = 'infra/settings/stages.ts';
const head = 'const prod: StageSettings = {';
/** Sets settings of prod, written as TypeScript. Returns how to undo that. */
const set = (more: string) => checkout.edit(file, head, `${head} ${more}`);

/** Reserves concurrency for prod's lists. Returns how to undo that. */
const reserve = (executions: number) => {
  const list = /(?<=prod: StageSettings[\s\S]*list: \{)/;
  return checkout.edit(file, list, `reservedConcurrency: ${executions},`);
};

/** Ties prod to an account. Returns how to undo that. */
const setEnv = (account: string) => set(`env: { account: '${account}', region: 'us-east-1' },`);

const aws = async (command: string) => JSON.parse(await administrator.run(`aws ${command}`));

/** Makes the next deployment of prod fail, until the returned function is called. */
const breakProd = () =>
  set(`webAclArn: 'arn:aws:wafv2:us-east-1:${accountId}:regional/webacl/none/0',`);

/** Runs `petstore release` for prod, which stops before it deploys, and returns what it says. */
const stoppedRelease = async (): Promise<string> => {
  const release = 'PETSTORE_PROD_API_KEY=any npx --no -- petstore release --stage prod --yes';
  const { code, errors } = await deployer.end(release);
  expect(errors).toContain('Done: nothing. ');
  expect([6, 8]).toContain(code);
  return errors;
};

part('a first deployment that was rolled back: release says how to begin anew', async () => {
  const repair = breakProd();
  const withRollback = deployFirst.replace(' --no-rollback', '');
  expect(await deployer.end(withRollback)).toMatchObject({ code: 1 });
  expect(await prod.status()).toBe('ROLLBACK_COMPLETE');
  repair();
  const refused = await deployer.end(deployFirst);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.errors).toContain('TerminationProtection');

  const [advice = ''] = (await stoppedRelease()).match(/aws cloudformation .*/) ?? [];
  const [unprotect = '', begin] = advice.split(' && ');
  expect(begin).toBe(deployFirst);
  await administrator.run(unprotect);
});

part('a first deployment that fails twice goes on where it stopped, with its tables', async () => {
  const repair = breakProd();
  expect(await deployer.end(deployFirst)).toMatchObject({ code: 1 });
  expect(await prod.status()).toBe('CREATE_FAILED');
  const tables = await prod.resources('::GlobalTable');
  expect(Object.keys(tables)).toHaveLength(2);

  expect(await deployer.end(deployFirst)).toMatchObject({ code: 1 });
  expect(await prod.status()).toBe('UPDATE_FAILED');
  expect(await prod.outputs()).toEqual({});
  expect(await stoppedRelease()).toContain(deployFirst);

  repair();
  await deployer.run(deployFirst);
  expect(await prod.status()).toBe('UPDATE_COMPLETE');
  expect(await prod.resources('::GlobalTable')).toEqual(tables);
});

part('a reservation that AWS rejects is rolled back', async () => {
  const undo = reserve(950);
  const { output, errors } = await deployer.end(deploy);
  expect(output + errors).toContain(
    'UnreservedConcurrentExecution below its minimum value of [100]',
  );
  expect(await prod.status()).toBe('UPDATE_ROLLBACK_COMPLETE');
  undo();
});

part('alarmEmail, customDomain and a reservation that fits', async () => {
  set(`alarmEmail: 'pets@petstore.example',`);
  const certificateArn = `arn:aws:acm:us-east-1:${accountId}:certificate/0`;
  set(`customDomain: { domainName: '${customDomain}', certificateArn: '${certificateArn}' },`);
  reserve(50);
  const { BaseUrl: old = '' } = await prod.outputs();

  await deployer.run(deploy);
  const [name] = Object.values(await prod.resources('::Function')).filter((each) =>
    /-List/.test(each),
  );
  const reserved = await aws(`lambda get-function-concurrency --function-name ${name}`);
  expect(reserved).toEqual({ ReservedConcurrentExecutions: 50 });

  const { BaseUrl, DomainTarget } = await prod.outputs();
  expect(BaseUrl).toBe(`https://${customDomain}/v1`);
  expect(DomainTarget).toMatch(/\.amazonaws\.com$/);
  const keys = forStage('prod', firstDeployment.command('keys create'));
  const apiKey = (await operator.run(`${keys} --yes`)).trim();
  expect(await prod.listStatus(apiKey)).toBe(200);
  expect(await prod.listStatus(apiKey, old)).toBe(200);
});

part('a customDomain that is removed: release stops, because clients call it', async () => {
  checkout.edit(file, /customDomain: \{.*?\},/, '');
  expect(await stoppedRelease()).toMatch(/deletes \w+ \(AWS::ApiGateway::DomainName\)\.\n/);

  await deployer.run(deploy);
  const { BaseUrl = '', DomainTarget } = await prod.outputs();
  expect({ host: new URL(BaseUrl).hostname, DomainTarget }).toEqual({
    host: expect.stringMatching(/\.amazonaws\.com$/),
    DomainTarget: undefined,
  });
});

part('a literal env of another account: release stops', async () => {
  const undo = setEnv('444455556666');
  expect(await stoppedRelease()).toContain(
    `prod belongs to account 444455556666, but these credentials are for ${accountId}.`,
  );
  expect(await deployer.end(deploy)).toMatchObject({ code: 1 });
  undo();
});

part('a literal env: nothing is replaced', async () => {
  setEnv(accountId);
  // Each change of the API makes a new deployment of API Gateway.
  const [deployment = ''] = Object.keys(await prod.resources('::Deployment'));
  const { [deployment]: _before, ...before } = await prod.resources();
  await deployer.run(deploy);
  expect(await prod.resources()).toMatchObject(before);
});
