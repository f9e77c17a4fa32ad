// A first deployment that fails, and the optional settings of a stage: what preflight says before a
// deployment is what happens in it.
import { expect } from '@jest/globals';
import { startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { accountId, customDomain } from './ministack/ministack.ts';
import { pageOf } from './ministack/page.ts';
import { part } from './ministack/parts.ts';
import { ofDeployer, ofOperator } from './ministack/policies.ts';
import { finding, nobodyIsNotified, nothingTiesProd, preflightAs } from './ministack/preflight.ts';
import { deployedStage, forStage } from './ministack/stage.ts';

const firstDeployment = pageOf('docs/first-deployment.md');
const settings = pageOf('docs/settings.md');

const checkout = checkOut();
const { administrator, user } = await startAccount(checkout.directory);
const deployer = await user('deployer', ofDeployer);
const operator = await user('operator', ofOperator('prod'));
await administrator.run(firstDeployment.command('cdk bootstrap'));

const prod = deployedStage(administrator, 'prod');
const preflight = () => preflightAs(deployer, 'prod');
const deployFirst = forStage('prod', firstDeployment.command('cdk deploy'));
const deploy = `${settings.command('npx cdk deploy')} 'prod/*'`;

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

/** Returns the command at the end of a finding. */
const commandIn = ({ message }: { message: string } | undefined = { message: '' }): string =>
  message.slice(message.indexOf('aws '));

part('a first deployment that was rolled back: preflight says how to begin anew', async () => {
  const repair = breakProd();
  const withRollback = deployFirst.replace(' --no-rollback', '');
  expect(await deployer.end(withRollback)).toMatchObject({ code: 1 });
  expect(await prod.status()).toBe('ROLLBACK_COMPLETE');
  repair();
  const refused = await deployer.end(deployFirst);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.errors).toContain('TerminationProtection');

  const { code, notOk } = await preflight();
  expect(code).toBe(8);
  const stop = finding('stop', 'changes', "The stack's protection keeps the next one");
  const left = finding('warning', 'leftover tables', 'belongs to no stack');
  expect(notOk).toEqual([nothingTiesProd, stop, left, left, nobodyIsNotified]);
  for (const each of notOk.slice(1, 4)) {
    await administrator.run(commandIn(each));
  }
  const { code: after, findings } = await preflight();
  expect(after).toBe(0);
  const anew = 'failed and was rolled back (ROLLBACK_COMPLETE). The next one deletes';
  expect(findings).toContainEqual(finding('ok', 'changes', anew));
  expect(findings).toContainEqual(finding('ok', 'leftover tables', 'None.'));
});

part('a first deployment that fails goes on where it stopped', async () => {
  const repair = breakProd();
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
  expect((await preflight()).notOk).toEqual([nothingTiesProd, nobodyIsNotified]);
});

part('list.reservedConcurrency: preflight stops at a value that AWS rejects', async () => {
  const undo = reserve(950);
  const message =
    "The stage reserves 950 of the account's 1000 and would leave 50 unreserved; " +
    'AWS requires 100. So list.reservedConcurrency may be at most 900';
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
  expect(notOk).toEqual([nothingTiesProd]);
  const { BaseUrl: old = '' } = await prod.outputs();

  await deployer.run(deploy);
  const asked = '1 got an e-mail with a link to confirm.';
  const unconfirmed = finding('warning', 'alarm subscribers', asked);
  expect((await preflight()).notOk).toEqual([nothingTiesProd, unconfirmed]);
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
  checkout.edit(file, /customDomain: \{.*?\},/, '');
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
  const { notOk: after } = await preflight();
  expect(after).not.toContainEqual(nothingTiesProd);
  expect(after.filter(({ check }) => check === 'changes')).toEqual([]);
});
