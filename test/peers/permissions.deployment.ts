// IAM enforces what functions, operators and deployers may do: without one of their permissions,
// what needs it fails.
import { beforeAll, expect, test } from '@jest/globals';
import type { KeySummary } from '../../ops/keys/key-summary.ts';
import { type Person, type Statement, startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { accountId } from './ministack/ministack.ts';
import { ofDeployer, ofOperator } from './ministack/policies.ts';
import { deployedStage } from './ministack/stage.ts';

const operations = ofOperator('staging');
const deployments = ofDeployer('staging');
const petstore = (command: string) => `npx --no -- petstore ${command} --stage staging --yes`;
const deploy = "npx cdk deploy 'staging/*'";

const checkout = checkOut();
const { administrator, user, permit } = await startAccount(checkout.directory);
const staging = deployedStage(administrator, 'staging');
let deployer: Person;
let operator: Person;
let apiKey = '';

beforeAll(async () => {
  deployer = await user('deployer', deployments);
  operator = await user('operator', operations);
  await administrator.run('npx cdk bootstrap');
  await deployer.run(deploy);
  await operator.run(petstore('inventory import ops/sample-inventory.csv'));
  apiKey = (await operator.run(petstore('keys create --name test'))).trim();
}, 600_000);

interface RolePolicy {
  Statement: { Action: string | string[]; Resource: string }[];
}

/** Finds the policy of a function's role. */
const policyOf = async (name: string) => {
  const roles = Object.entries(await staging.resources('::IAM::Role'));
  const [, role] = roles.find(([id]) => id.startsWith(`${name}Role`)) ?? [];
  const names = await administrator.run(`aws iam list-role-policies --role-name ${role}`);
  const [policy] = JSON.parse(names).PolicyNames;
  const target = `--role-name ${role} --policy-name ${policy}`;
  const found = await administrator.run(`aws iam get-role-policy ${target}`);
  return {
    document: JSON.parse(found).PolicyDocument as RolePolicy,
    replace: async (document: RolePolicy): Promise<void> => {
      const text = JSON.stringify(document);
      await administrator.run(`aws iam put-role-policy ${target} --policy-document '${text}'`);
    },
  };
};

const requests = {
  list: { method: 'GET', path: '/inventory', body: null },
  update: { method: 'PATCH', path: '/inventory/1', body: '{"quantity":3}' },
};

/** Sends a request whose key no cached result of the authorizer answers for. */
const statusOf = async (request: keyof typeof requests): Promise<number> => {
  await staging.flush();
  const { BaseUrl = '' } = await staging.outputs();
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const { method, path, body } = requests[request];
  const response = await fetch(BaseUrl + path, { method, headers, body });
  await response.text();
  return response.status;
};

test.each([
  { name: 'Authorizer', action: 'GetItem', other: 'InventoryTable', request: 'list' },
  { name: 'ListInventory', action: 'Scan', other: 'ApiKeysTable', request: 'list' },
  { name: 'UpdateInventory', action: 'UpdateItem', other: 'ApiKeysTable', request: 'update' },
] as const)('$name fails without $action, or with that of another table', async (row) => {
  const { document, replace } = await policyOf(row.name);
  const onTables = document.Statement.filter(({ Action }) => `${Action}`.startsWith('dynamodb:'));
  expect(onTables.map(({ Action }) => Action)).toStrictEqual([`dynamodb:${row.action}`]);
  const others = document.Statement.filter((statement) => !onTables.includes(statement));
  const { [`${row.other}Name`]: other } = await staging.outputs();
  const Resource = `arn:aws:dynamodb:us-east-1:${accountId}:table/${other}`;
  const misplaced = onTables.map((statement) => ({ ...statement, Resource }));

  expect(await statusOf(row.request)).toBe(200);
  for (const Statement of [others, [...others, ...misplaced]]) {
    await replace({ ...document, Statement });
    expect(await statusOf(row.request)).toBe(500);
  }
  await replace(document);
  expect(await statusOf(row.request)).toBe(200);
});

/** Returns the statements without one of their actions. */
const without = (statements: Statement[], action: string): Statement[] =>
  statements
    .map((each) => ({ ...each, Action: [each.Action].flat().filter((name) => name !== action) }))
    .filter(({ Action }) => Action.length > 0);

test('a key that is revoked --now without the permission for the cache is revoked', async () => {
  const { id } = JSON.parse(await operator.run(petstore('keys create --name new --json')));
  await permit('operator', without(operations, 'apigateway:DELETE'));
  const { code, errors } = await operator.end(petstore(`keys revoke ${id} --now`));
  await permit('operator', operations);
  expect(code).toBe(1);
  expect(errors).toContain('apigateway:DELETE');
  const keys: KeySummary[] = JSON.parse(await operator.run(petstore('keys list --json')));
  expect(keys.find((key) => key.id === id)?.state).toBe('revoked');
});

test('a deployer has all that a release needs, and without any of it a release fails', async () => {
  await administrator.run(
    'aws cloudformation set-stack-policy --stack-name staging-petstore-inventory ' +
      '--stack-policy-body file://infra/stack-policy.json',
  );
  const { BaseUrl = '' } = await staging.outputs();
  const release = () =>
    deployer.end(`npm run check-stage staging && ${deploy}`, {
      PETSTORE_BASE_URL: BaseUrl,
      PETSTORE_API_KEY: apiKey,
    });
  expect(await release()).toMatchObject({ code: 0 });
  const actions = deployments.flatMap(({ Action }) => Action);
  const codes: (number | null)[] = [];
  for (const action of actions) {
    await permit('deployer', without(deployments, action));
    codes.push((await release()).code);
  }
  await permit('deployer', deployments);
  expect(actions).toStrictEqual([
    'sts:AssumeRole',
    'cloudformation:DescribeStacks',
    'cloudformation:GetStackPolicy',
  ]);
  expect(codes).toStrictEqual([1, 1, 1]);
});

test('a deployer may not read keys or lift the stack policy, and an operator may not deploy', async () => {
  expect(await deployer.end(petstore('keys list'))).toMatchObject({ code: 1, output: '' });
  const lift =
    'aws cloudformation set-stack-policy --stack-name staging-petstore-inventory ' +
    `--stack-policy-body '{"Statement":[]}'`;
  expect(await deployer.end(lift)).toMatchObject({ output: '' });
  expect(await staging.policy()).not.toStrictEqual({ Statement: [] });
  expect(await operator.end(deploy)).toMatchObject({ code: 1 });
});
