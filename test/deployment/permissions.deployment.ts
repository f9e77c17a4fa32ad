// IAM enforces what functions, operators and deployers may do: without one of their permissions,
// what needs it fails.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { functionSpecs, tablesOf } from '../../infra/service/operations.ts';
import { allowedBy, type Person, type Statement, startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { deployedStage, type Request } from './ministack/stage.ts';

const deployments = allowedBy('staging-deployer');
const petstore = (command: string) => `npx --no -- petstore ${command} --stage staging`;
const deploy = "npx cdk deploy 'staging/*'";
const ofStack = '--stack-name staging-petstore-inventory';
const setPolicy =
  `aws cloudformation set-stack-policy ${ofStack} ` +
  '--stack-policy-body file://infra/stack-policy.json';

const { administrator, user, permit } = await startAccount(checkOut().directory);
const staging = deployedStage(administrator, 'staging');
let deployer: Person;
let operator: Person;

beforeAll(async () => {
  deployer = await user('deployer', deployments);
  operator = await user('operator', allowedBy('staging-operator'));
  await administrator.run('npx cdk bootstrap');
  await deployer.run(deploy);
  await operator.run(petstore('inventory import ops/sample-inventory.csv'));
  await operator.run(petstore('keys create --name test --out ~/staging-key'));
});

test('a deployed staging keeps the contract', async () => {
  const { BaseUrl } = await staging.outputs();
  const target = `PETSTORE_BASE_URL=${BaseUrl} PETSTORE_API_KEY=$(cat ~/staging-key)`;
  await operator.run(`${target} npm run acceptance`);
});

/** Finds the policy of a function's role. */
const policyOf = async (name: string) => {
  const roles = Object.entries(await staging.resources('::IAM::Role'));
  const [, role] = roles.find(([id]) => id.startsWith(`${name}Role`)) ?? [];
  const target = `--role-name ${role} --policy-name Permissions`;
  const found = await administrator.run(`aws iam get-role-policy ${target}`);
  return {
    document: JSON.parse(found).PolicyDocument as { Statement: Statement[] },
    replace: async (document: object): Promise<void> => {
      const text = JSON.stringify(document);
      await administrator.run(`aws iam put-role-policy ${target} --policy-document '${text}'`);
    },
  };
};

/** Returns the statements without one of their actions. */
const without = (statements: Statement[], action: string): Statement[] =>
  statements
    .map((each) => ({ ...each, Action: [each.Action].flat().filter((name) => name !== action) }))
    .filter(({ Action }) => Action.length > 0);

const list: Request = { method: 'GET', path: '/inventory' };
const update: Request = { method: 'PATCH', path: '/inventory/1', body: '{"quantity":3}' };
const sale: Request = { ...update, headers: { 'If-Match': '"1000000-sold"' } };

/** A request that each permission is needed for, and its status with it. */
const needing: Record<string, { request: Request; status: number }> = {
  'Authorizer dynamodb:GetItem': { request: list, status: 200 },
  'ListInventory dynamodb:Scan': { request: list, status: 200 },
  'UpdateInventory dynamodb:UpdateItem': { request: update, status: 200 },
  'UpdateInventory dynamodb:PutItem': { request: sale, status: 412 },
};

test('the functions have these permissions, and no others', () => {
  const permissions = functionSpecs.flatMap((spec) =>
    tablesOf(spec).flatMap(([, { actions }]) => actions.map((action) => `${spec.name} ${action}`)),
  );
  expect(permissions).toStrictEqual(Object.keys(needing));
});

test.each(Object.entries(needing))(
  '%s: with this permission a request is served, and not without it',
  async (permission, { request, status }) => {
    const [name = '', action = ''] = permission.split(' ');
    const { document, replace } = await policyOf(name);
    const ask = async () => {
      await staging.flush();
      // Otherwise, nothing would be written of an update that is refused.
      const headers = { ...request.headers, 'Idempotency-Key': randomUUID() };
      return staging.statusFor({ ...request, headers });
    };
    expect(await ask()).toBe(status);

    await replace({ ...document, Statement: without(document.Statement, action) });
    expect(await ask()).toBe(500);
    await replace(document);
  },
);

/** What a deployer does with each permission, except those of CodeDeploy: MiniStack lacks it. */
const deploying: Record<string, string> = {
  'sts:AssumeRole': deploy,
  'cloudformation:DescribeStacks': `aws cloudformation describe-stacks ${ofStack}`,
  'cloudformation:ListStackResources': `aws cloudformation list-stack-resources ${ofStack}`,
  'cloudformation:SetStackPolicy': setPolicy,
  'ssm:GetParameterHistory':
    'aws ssm get-parameter-history --name /petstore-inventory/staging/commit',
};

test('a deployer has these permissions, and no other that MiniStack knows', () => {
  const actions = deployments.flatMap(({ Action }) => Action);
  const known = actions.filter((action) => !action.startsWith('codedeploy:'));
  expect(known).toStrictEqual(Object.keys(deploying));
});

test.each(Object.entries(deploying))(
  '%s: with this permission a deployer can do it, and not without it',
  async (action, command) => {
    await deployer.run(command);
    await permit('deployer', without(deployments, action));
    expect(await deployer.end(command)).not.toMatchObject({ code: 0 });
    await permit('deployer', deployments);
  },
);

test('a deployer may not read keys, and an operator may not deploy', async () => {
  expect(await deployer.end(petstore('keys list'))).toMatchObject({ code: 1, output: '' });
  expect(await operator.end(deploy)).toMatchObject({ code: 1 });
});
