// A first deployment that fails, and the optional settings of a stage: what preflight says before a
// deployment is what happens in it.
import { expect } from '@jest/globals';
import { startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { accountId, customDomain } from './ministack/ministack.ts';
import { sectionOf } from './ministack/page.ts';
import { part } from './ministack/parts.ts';
import { ofDeployer, ofOperator } from './ministack/policies.ts';
import { finding, nobodyIsNotified, preflightAs } from './ministack/preflight.ts';
import { deployedStage, forStage } from './ministack/stage.ts';

const firstDeployment = sectionOf('docs/deploy.md', 'First deployment');
const settings = sectionOf('docs/deploy.md', 'Settings');

const checkout = checkOut();
const { administrator, user } = await startAccount(checkout.directory);
const deployer = await user('deployer', ofDeployer);
const operator = await user('operator', ofOperator('prod'));
await administrator.run(firstDeployment.command('cdk bootstrap'));

const prod = deployedStage(administrator, 'prod');
const preflight = () => preflightAs(deployer, 'prod');
const deployFirst = forStage('prod', firstDeployment.command('cdk deploy'));
const deploy = `${settings.command('npx cdk deploy')} 'prod/*'`;

const head = "new InventoryStack(new Stage(app, 'prod'), 'petstore-inventory', {";
/** Sets settings of prod, written as TypeScript. Returns how to undo that. */
const set = (more: string) => checkout.edit('infra/app.ts', head, `${head} ${more}`);

/** Reserves concurrency for prod's lists. Returns how to undo that. */
const reserve = (executions: number) => {
  const list = /(?<='prod'[\s\S]*list: \{)/;
  return checkout.edit('infra/app.ts', list, `reservedConcurrency: ${executions},`);
};

/** Ties prod to an account. Returns how to undo that. */
const setEnv = (account: string) => {
  const env = `{ env: { account: '${account}', region: 'us-east-1' } }`;
  return checkout.edit('infra/app.ts', "new Stage(app, 'prod')", `new Stage(app, 'prod', ${env})`);
};

const aws = async (command: string) => JSON.parse(await administrator.run(`aws ${command}`));

part('a first deployment that fails goes on where it stopped', async () => {
  const repair = set(`webAclArn: 'arn:aws:wafv2:us-east-1:${accountId}:regional/webacl/none/0',`);
  expect(await deployer.end(deployFirst)).toMatchObject({ code: 1 });
  expect(await prod.status()).toBe('CREATE_FAILED');
  const tables = await prod.resources('::GlobalTable');
  expect(Object.keys(tables)).toHaveLength(2);

  repair();
  const { code, findings } = await preflight();
  expect(code).toBe(0);
  const goOn = finding('ok', 'changes', `failed halfway (CREATE_FAILED). Continue: ${deployFirst}`);
  expect(findings).toContainEqual(goOn);

  await deployer.run(deployFirst);
  expect(await prod.status()).toBe('UPDATE_COMPLETE');
  expect(await prod.resources('::GlobalTable')).toEqual(tables);
  expect((await preflight()).notOk).toEqual([nobodyIsNotified]);
});

part('list.reservedConcurrency: preflight stops at a value that AWS rejects', async () => {
  const undo = reserve(950);
  const message = "The stage reserves 950 of the account's 1000 and would leave 50 unreserved";
  const { code, notOk } = await preflight();
  expect(code).toBe(8);
  expect(notOk).toContainEqual(finding('stop', 'Lambda concurrency', message));

  const { output } = await deployer.end(deploy);
  expect(output).toContain('UnreservedConcurrentExecution below its minimum value of [100]');
  expect(await prod.status()).toBe('UPDATE_ROLLBACK_COMPLETE');
  undo();
});

part('alarmEmail, customDomain and a reservation that fits', async () => {
  set(`alarmEmail: 'pets@petstore.example',`);
  const certificateArn = `arn:aws:acm:us-east-1:${accountId}:certificate/0`;
  set(`customDomain: { domainName: '${customDomain}', certificateArn: '${certificateArn}' },`);
  reserve(50);
  const addsOne = 'The deployment adds one, who gets an e-mail with a link to confirm.';
  const { findings, notOk } = await preflight();
  expect(findings).toContainEqual(finding('ok', 'alarm subscribers', addsOne));
  expect(notOk).toEqual([]);
  const { BaseUrl: old = '' } = await prod.outputs();

  await deployer.run(deploy);
  const asked = '1 got an e-mail with a link to confirm.';
  expect((await preflight()).notOk).toEqual([finding('warning', 'alarm subscribers', asked)]);
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

part('a customDomain that is removed: preflight stops, because clients call it', async () => {
  checkout.edit('infra/app.ts', /customDomain: \{.*?\},/, '');
  const { code, notOk } = await preflight();
  expect(code).toBe(8);
  const message = '(AWS::ApiGateway::DomainName)';
  expect(notOk).toContainEqual(finding('stop', 'changes', message));

  await deployer.run(deploy);
  const { BaseUrl = '', DomainTarget } = await prod.outputs();
  expect({ host: new URL(BaseUrl).hostname, DomainTarget }).toEqual({
    host: expect.stringMatching(/\.amazonaws\.com$/),
    DomainTarget: undefined,
  });
});

part('a literal env of another account: preflight stops', async () => {
  const undo = setEnv('444455556666');
  const { code, notOk } = await preflight();
  const message = 'The stage is tied to 444455556666 us-east-1';
  expect(notOk).toEqual([finding('stop', 'account and region', message)]);
  expect(code).toBe(8);
  expect(await deployer.end(deploy)).toMatchObject({ code: 1 });
  undo();
});

part('a literal env: preflight warns of four replacements, and nothing is replaced', async () => {
  setEnv(accountId);
  const { code, notOk } = await preflight();
  expect(code).toBe(0);
  const replacements = notOk.filter(({ check }) => check === 'changes');
  const replaces = finding('warning', 'changes', 'The deployment replaces ');
  expect(replacements).toEqual([replaces, replaces, replaces, replaces]);

  // Each change of the API makes a new deployment of API Gateway.
  const [deployment = ''] = Object.keys(await prod.resources('::Deployment'));
  const { [deployment]: _before, ...before } = await prod.resources();
  await deployer.run(deploy);
  expect(await prod.resources()).toMatchObject(before);
  expect((await preflight()).notOk.filter(({ check }) => check === 'changes')).toEqual([]);
});
