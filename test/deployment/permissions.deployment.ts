// IAM enforces what functions, operators and deployers may do: without one of their permissions,
// what needs it fails.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { functionSpecs } from '../../infra/service/operations.ts';
import { type Person, type Statement, startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { allowedBy } from './ministack/policies.ts';
import { deployedStage, type Request } from './ministack/stage.ts';

const operations = allowedBy('staging-operator');
const deployments = allowedBy('staging-deployer');
const petstore = (command: string) => `npx --no -- petstore ${command} --stage staging`;
const deploy = "npx cdk deploy 'staging/*'";
const setPolicy =
  'aws cloudformation set-stack-policy --stack-name staging-petstore-inventory --stack-policy-body';

const { administrator, user, permit } = await startAccount(checkOut().directory);
const staging = deployedStage(administrator, 'staging');
let deployer: Person;
let operator: Person;
let apiKey = '';

beforeAll(async () => {
  deployer = await user('deployer', deployments);
  operator = await user('operator', operations);
  await administrator.run('npx cdk bootstrap');
  await deployer.run(deploy);
  await administrator.run(`${setPolicy} file://infra/stack-policy.json`);
  await operator.run(petstore('inventory import ops/sample-inventory.csv'));
  apiKey = (await operator.run(petstore('keys create --name test'))).trim();
});

test('a deployed staging keeps the contract', async () => {
  const { BaseUrl = '' } = await staging.outputs();
  const target = { PETSTORE_BASE_URL: BaseUrl, PETSTORE_API_KEY: apiKey };
  expect(await operator.end('npm run acceptance', target)).toMatchObject({ code: 0 });
});

/** Finds the policy of a function's role. */
const policyOf = async (name: string) => {
  const roles = Object.entries(await staging.resources('::IAM::Role'));
  const [, role] = roles.find(([id]) => id.startsWith(`${name}Role`)) ?? [];
  const names = await administrator.run(`aws iam list-role-policies --role-name ${role}`);
  const [policy] = JSON.parse(names).PolicyNames;
  const target = `--role-name ${role} --policy-name ${policy}`;
  const found = await administrator.run(`aws iam get-role-policy ${target}`);
  return {
    document: JSON.parse(found).PolicyDocument as { Statement: Statement[] },
    replace: async (document: object): Promise<void> => {
      const text = JSON.stringify(document);
      await administrator.run(`aws iam put-role-policy ${target} --policy-document '${text}'`);
    },
  };
};

const list: Request = { method: 'GET', path: '/inventory' };
const update: Request = { method: 'PATCH', path: '/inventory/1', body: '{"quantity":3}' };
const sale: Request = { ...update, headers: { 'If-Match': '"1000000-sold"' } };

/** A function with each of its permissions, such as `ListInventory dynamodb:Scan`. */
type PermissionOf<Spec> = Spec extends {
  name: infer Name extends string;
  tables: infer Tables;
}
  ? `${Name} ${ActionOf<Tables[keyof Tables]>}`
  : never;

type ActionOf<Access> = Access extends { actions: readonly (infer Action extends string)[] }
  ? Action
  : never;

/** A request that each permission is needed for, and its status with it. */
const needing: Record<
  PermissionOf<(typeof functionSpecs)[number]>,
  { request: Request; status: number }
> = {
  'Authorizer dynamodb:GetItem': { request: list, status: 200 },
  'ListInventory dynamodb:Scan': { request: list, status: 200 },
  'UpdateInventory dynamodb:UpdateItem': { request: update, status: 200 },
  'UpdateInventory dynamodb:PutItem': { request: sale, status: 412 },
};

/** Returns the statements without one of their actions. */
const without = (statements: Statement[], action: string): Statement[] =>
  statements
    .map((each) => ({ ...each, Action: [each.Action].flat().filter((name) => name !== action) }))
    .filter(({ Action }) => Action.length > 0);

test.each(Object.entries(needing))(
  '%s: with this permission a request is served, and not without it',
  async (permission, { request, status }) => {
    const [name = '', action = ''] = permission.split(' ');
    const { document, replace } = await policyOf(name);
    const ask = async () => {
      await staging.flush();
      // Otherwise, nothing would be written of an update that is refused.
      const headers = { ...request.headers, 'Idempotency-Key': randomUUID() };
      return staging.statusFor(apiKey, { ...request, headers });
    };
    expect(await ask()).toBe(status);

    await replace({ ...document, Statement: without(document.Statement, action) });
    expect(await ask()).toBe(500);
    await replace(document);
  },
);

const ofStack = '--stack-name staging-petstore-inventory';
/** What a deployer does with each permission, but for those of CodeDeploy, which MiniStack lacks. */
const deploying: Record<string, string> = {
  'sts:AssumeRole': deploy,
  'cloudformation:DescribeStacks': `aws cloudformation describe-stacks ${ofStack}`,
  'cloudformation:ListStackResources': `aws cloudformation list-stack-resources ${ofStack}`,
  'cloudformation:SetStackPolicy': `${setPolicy} file://infra/stack-policy.json`,
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
    const { code } = await deployer.end(command);
    expect(code).not.toBe(0);
    await permit('deployer', deployments);
  },
);

test('a deployer may not read keys, and an operator may not deploy', async () => {
  expect(await deployer.end(petstore('keys list'))).toMatchObject({ code: 1, output: '' });
  expect(await operator.end(deploy)).toMatchObject({ code: 1 });
});
