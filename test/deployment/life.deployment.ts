// The life of prod in an account, from the bootstrap to the teardown, with the commands of the operators'
// pages as the people run them who need no more permissions. MiniStack keeps a stack policy, but lets
// deployments do what it denies, and has no CodeDeploy: what it shows of canaries is what is asked for.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { accountId } from './ministack/ministack.ts';
import {
  blockOf,
  commitsOf,
  prodAccount,
  prodOf,
  setStackPolicy,
  setUp,
  stockOf,
} from './ministack/prod.ts';
import { allKinds, connection } from './ministack/stage.ts';

const { checkout, administrator, deployer, operator } = await prodAccount();
const prod = prodOf(administrator);
let apiKey = '';

/** Returns the status of a list, as a client gets it. */
const listed = (): Promise<number> => prod.statusFor(apiKey);

const acceptance = async () => {
  const { BaseUrl = '' } = await prod.outputs();
  const target = { PETSTORE_BASE_URL: BaseUrl, PETSTORE_API_KEY: apiKey };
  const { code, output, errors } = await operator.end('npm run acceptance', target);
  return { code, ...(code !== 0 && { output, errors }) };
};

/** Builds and releases, up to the first command that fails. */
const release = async () => {
  await deployer.run('npm run synth');
  const { BaseUrl = '' } = await prod.outputs();
  const commands = [
    setStackPolicy,
    `curl --fail --silent --show-error --output /dev/null ${connection} ` +
      '--header "Authorization: Bearer $PETSTORE_API_KEY" "$PETSTORE_BASE_URL/inventory"',
    "npx cdk deploy --app cdk.out 'prod/*'",
    'npm run acceptance',
  ];
  const target = { PETSTORE_BASE_URL: BaseUrl, PETSTORE_API_KEY: apiKey };
  return deployer.end(commands.join(' && '), target);
};

/** Returns how prod's last deployment shifted its traffic: one value for each function. */
const shifts = async (): Promise<string[]> => {
  const command = 'aws cloudformation get-template --stack-name prod-petstore-inventory';
  const { TemplateBody } = JSON.parse(await administrator.run(command));
  const template = typeof TemplateBody === 'string' ? TemplateBody : JSON.stringify(TemplateBody);
  return template.match(/CodeDeployDefault\.Lambda\w+/g) ?? [];
};
const withCanary = Array(3).fill('CodeDeployDefault.LambdaCanary10Percent15Minutes');

/** Returns the version of each function that clients reach. */
const live = async () => (await prod.versions()).map((each) => each.live);

test('1. an administrator alone can bootstrap the account', async () => {
  expect(await deployer.end('npx cdk bootstrap')).toMatchObject({ code: 1 });
  await administrator.run('npx cdk bootstrap');
});

test('2. prod is deployed, gets its stack policy, stock and a key, and keeps the contract', async () => {
  const printed = await deployer.run("npx cdk deploy --no-rollback 'prod/*'");
  const { BaseUrl } = await prod.outputs();
  expect(printed).toContain(`BaseUrl = ${BaseUrl}\n`);
  apiKey = await setUp(administrator, operator);
  const ours = JSON.parse(readFileSync('infra/stack-policy.json', 'utf8'));
  expect(await prod.policy()).toStrictEqual(ours);
  const before = await stockOf(operator);
  expect(await acceptance()).toStrictEqual({ code: 0 });
  expect(await stockOf(operator)).toStrictEqual(before);
});

test('3. a release publishes new versions of all functions and keeps the old ones', async () => {
  checkout.append('functions/authorizer.ts', 'export const build = 2;\n');
  checkout.commit();
  expect(await release()).toMatchObject({ code: 0 });
  const both = { kept: ['1', '2'], live: '2' };
  expect(await prod.versions()).toStrictEqual([both, both, both]);
  expect(await shifts()).toStrictEqual(withCanary);
});

test('4. an update that fails is taken back with cdk rollback', async () => {
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
  expect(await listed()).toBe(200);
  repair();
});

test('5. a bad version is undone by the commit before it', async () => {
  const former = checkout.head();
  checkout.append('functions/list-inventory.ts', "throw new Error('a bug');\n");
  const bad = checkout.commit();
  expect(await release()).toMatchObject({ code: 1 });
  expect(await listed()).toBe(502);

  const commits = (await commitsOf(deployer)).filter((commit) => !commit?.endsWith('-dirty'));
  expect(commits.slice(-2)).toStrictEqual([former, bad]);
  await deployer.run(blockOf('Undo a deployment', 1, { FORMER_COMMIT: former }));
  expect(await listed()).toBe(200);
  expect(new Set(await live()).size).toBe(1);
  expect(await shifts()).toStrictEqual(Array(3).fill('CodeDeployDefault.LambdaAllAtOnce'));
});

test('6. what a destroyed stage leaves is what the page says', async () => {
  expect(Object.keys(await prod.remains())).toStrictEqual(allKinds);
  await administrator.run(
    'aws cloudformation update-termination-protection --no-enable-termination-protection ' +
      '--stack-name prod-petstore-inventory',
  );
  await deployer.run("npx cdk destroy 'prod/*' --force");
  const roles = [expect.stringMatching(/^prod-.*-ApiCloudWatchRole/)];
  const { tables = [], ...others } = await prod.remains();
  expect(others).toStrictEqual({ roles });
  expect(tables).toHaveLength(3);
  for (const name of tables) {
    const table = `--table-name ${name}`;
    await administrator.run(`aws dynamodb update-table --no-deletion-protection-enabled ${table}`);
    await administrator.run(`aws dynamodb delete-table ${table}`);
  }
  expect(await prod.remains()).toStrictEqual({ roles });
});
