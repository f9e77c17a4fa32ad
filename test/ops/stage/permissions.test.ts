import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';
import { petstore as commandLine } from '../../../ops/program.ts';
import { createTable } from '../../support/dynamodb/create-table.ts';
import { awsAround } from '../../support/ops/fake-aws.ts';
import { keysStage, shop } from '../../support/ops/keys.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { stackOf } from '../../support/stack/synthesized.ts';

const policyOf = (stageName: string, role: string): string =>
  readFileSync(`infra/policies/${stageName}-${role}.json`, 'utf8');

/** What an operator of staging may do: each action, and the pattern of its resources. */
const allowed: string[] = JSON.parse(policyOf('staging', 'operator')).Statement.flatMap(
  ({ Action, Resource }: { Action: string | string[]; Resource: string }) =>
    [Action].flat().map((action) => `${action} ${Resource}`),
);

/** Returns the permission for an action on a resource. */
const permissionFor = (action: string): string | undefined =>
  allowed.find((each) =>
    new RegExp(`^${each.split('*').map(RegExp.escape).join('.*')}$`).test(action),
  );

// CloudFormation makes the logical id of a table part of its name.
const logicalIds = Object.keys(stackOf('staging').byName('AWS::DynamoDB::GlobalTable'));
const arnOf = (table: string): string => {
  const prefix = table.startsWith('keys-') ? 'ApiKeys' : 'Inventory';
  const id = logicalIds.find((each) => each.startsWith(prefix));
  return `arn:aws:dynamodb:us-east-1:111122223333:table/staging-petstore-inventory-${id}-1ABC`;
};

const failure = (name: string) => ({
  status: 400,
  body: { __type: `x#${name}`, message: 'User: x may not' },
});

const file = join(process.env.TEST_RUN_DIRECTORY ?? '', 'permissions.csv');
writeFileSync(file, 'petId,quantity,status\n2,5,sold\n3,3,sold\n');

/** Every command for keys and stock, each so that it does all that it can. */
const commands = [
  'keys create --name shop',
  'keys list',
  'keys find',
  'keys expire 1111111111111111 9d',
  'keys revoke 1111111111111111',
  `inventory import ${file} --replace`,
  'inventory export',
  'inventory get 2',
  'inventory set 2 --quantity 5 --status sold',
  'inventory remove 2',
];

const isWrite = (action: string): boolean => /:(Put|Update|Delete)Item /.test(action);

const stage = keysStage();
beforeEach(() =>
  createTable(stage.client, { name: stage.tables.inventory, key: 'petId', type: 'N' }),
);
const apiKey = createApiKey('staging');

/** Puts the key and the one entry on which the commands work. */
const prepare = async (): Promise<void> => {
  const TableName = stage.tables.inventory;
  await stage.put({ ...shop, keyHash: hashApiKey(apiKey) });
  const Item = { petId: { N: '2' }, quantity: { N: '2' }, status: { S: 'sold' } };
  await stage.client.putItem({ TableName, Item });
  await stage.client.deleteItem({ TableName, Key: { petId: { N: '3' } } });
};

interface Circumstances {
  /** Whether each write finds that it was applied before, and its response was lost. */
  isRetried?: boolean;
  /** How many of its requests to the tables are served, before they are denied. */
  served?: number;
}

/** Runs a command on the deployed stage. Returns its exit code, and its actions in AWS. */
const run = async (line: string, { isRetried, served = Infinity }: Circumstances = {}) => {
  await prepare();
  const requests: string[] = [];
  stage.react = async ({ operation, body, forward }) => {
    const [table = ''] = body.TableName ? [body.TableName] : Object.keys(body.RequestItems);
    const action = `dynamodb:${operation} ${arnOf(table)}`;
    requests.push(action);
    if (requests.length > served) {
      return failure('AccessDeniedException');
    }
    const answer = await forward();
    return isRetried && isWrite(action) ? failure('ConditionalCheckFailedException') : answer;
  };
  const { calls, environment: env } = await awsAround(stage.tables);
  const words = [...line.split(' '), '--stage', 'staging'];
  const { code, errors } = await petstore(words, { env, input: apiKey });
  const stacks = 'arn:aws:cloudformation:us-east-1:111122223333:stack';
  const looks = calls.map((call) => `${call.replace(' ', ` ${stacks}/`)}/1`);
  return { code, errors, requests, actions: [...looks, ...requests] };
};

test.each(['deployer', 'operator'])('a %s may do the same on each stage', (role) => {
  expect(policyOf('prod', role)).toBe(policyOf('staging', role).replaceAll('staging', 'prod'));
});

test('every command for keys and stock is compared with the policy', () => {
  const paths = commandLine({} as Terminal)
    .commands.filter(({ commands }) => commands.length > 0)
    .flatMap((group) => group.commands.map((command) => `${group.name()} ${command.name()}`));
  const compared = commands.map((line) => line.split(' ').slice(0, 2).join(' '));
  expect(compared.sort()).toStrictEqual(paths.sort());
});

test('the policy of an operator allows what the commands do, and nothing else', async () => {
  const actions: string[] = [];
  for (const line of commands) {
    const done = await run(line);
    expect({ line, code: done.code }).toStrictEqual({ line, code: 0 });
    const again = done.actions.some(isWrite) ? await run(line, { isRetried: true }) : done;
    actions.push(...done.actions, ...again.actions);
  }
  expect(actions.filter((action) => !permissionFor(action))).toStrictEqual([]);
  const used = new Set(actions.map(permissionFor));
  expect(allowed.filter((permission) => !used.has(permission))).toStrictEqual([]);
});

test.each(commands)('%s fails if any of its requests does, and says why', async (line) => {
  const { requests } = await run(line);
  for (const served of requests.keys()) {
    const { code, errors } = await run(line, { served });
    expect({ code, why: errors.slice(errors.indexOf('petstore: ')) }).toStrictEqual({
      code: 1,
      why:
        'petstore: User: x may not\n' +
        'docs/settings.md#permissions has the policy that operators need.\n',
    });
  }
});
