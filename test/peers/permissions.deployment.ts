// IAM enforces what functions, operators and deployers may do: without one of their permissions,
// what needs it fails.
import { beforeAll, expect, test } from '@jest/globals';
import { sendRaw } from '../../ops/acceptance/suite/raw-request.ts';
import type { KeySummary } from '../../ops/keys/key-summary.ts';
import { type Person, startAccount } from './ministack/account.ts';
import { checkOut } from './ministack/checkout.ts';
import { accountId } from './ministack/ministack.ts';
import { pageOf } from './ministack/page.ts';
import { actionsOf, ofDeployer, ofOperator, without } from './ministack/policies.ts';
import { deployedStage } from './ministack/stage.ts';

const firstDeployment = pageOf('docs/deploy.md#first-deployment');

const operations = ofOperator('staging');

const checkout = checkOut();
const { administrator, user, permit } = await startAccount(checkout.directory);
const staging = deployedStage(administrator, 'staging');
let deployer: Person;
let operator: Person;
let apiKey = '';

beforeAll(async () => {
  deployer = await user('deployer', ofDeployer);
  operator = await user('operator', operations);
  await administrator.run(firstDeployment.command('cdk bootstrap'));
  await deployer.run(firstDeployment.command('cdk deploy'));
  await operator.run(firstDeployment.command('inventory import'));
  apiKey = (await operator.run(firstDeployment.command('keys create'))).trim();
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
  list: { method: 'GET', path: '/inventory' },
  update: { method: 'PATCH', path: '/inventory/1', body: '{"quantity":3}' },
};

/** Sends a request whose key no cached result of the authorizer answers for. */
const statusOf = async (request: keyof typeof requests): Promise<number> => {
  await staging.flush();
  const { BaseUrl = '' } = await staging.outputs();
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return (await sendRaw(BaseUrl, { ...requests[request], headers })).status;
};

test.each([
  { name: 'Authorizer', action: 'GetItem', other: 'InventoryTable', request: 'list' },
  { name: 'ListInventory', action: 'Scan', other: 'ApiKeysTable', request: 'list' },
  { name: 'UpdateInventory', action: 'UpdateItem', other: 'ApiKeysTable', request: 'update' },
] as const)('$name fails without $action, or with that of another table', async (row) => {
  const { document, replace } = await policyOf(row.name);
  const onTables = document.Statement.filter(({ Action }) => `${Action}`.startsWith('dynamodb:'));
  expect(onTables.map(({ Action }) => Action)).toEqual([`dynamodb:${row.action}`]);
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

/** Issues a key and returns its ID. */
const newKey = async (): Promise<string> => {
  const created = await operator.run(petstore('keys create --name new --json'));
  return JSON.parse(created).id;
};
const petstore = (command: string) => `npx --no -- petstore ${command} --stage staging`;

test('a key that is revoked --now without the permission for the cache is revoked', async () => {
  const id = await newKey();
  await permit('operator', without(operations, 'RevokeNow', 'apigateway:DELETE'));
  const { code, output, errors } = await operator.end(petstore(`keys revoke ${id} --now`));
  await permit('operator', operations);
  expect(output).toMatch(/was revoked at \S+ and stops working within 60 seconds\.\n$/);
  expect(errors).toContain('apigateway:DELETE');
  expect(code).toBe(6);
  const keys: KeySummary[] = JSON.parse(await operator.run(petstore('keys list --json')));
  expect(keys.find((key) => key.id === id)?.state).toBe('revoked');
});

test.each(actionsOf(ofDeployer))('a deployer needs $action', async ({ sid, action }) => {
  await permit('deployer', without(ofDeployer, sid, action));
  const { code } = await deployer.end(firstDeployment.command('cdk deploy'));
  await permit('deployer', ofDeployer);
  expect(code).toBe(1);
});

test('a deployer may not read keys, and an operator may not deploy', async () => {
  expect(await deployer.end(petstore('keys list'))).toMatchObject({ code: 6, output: '' });
  const deployed = await operator.end(firstDeployment.command('cdk deploy'));
  expect(deployed).toMatchObject({ code: 1 });
});
