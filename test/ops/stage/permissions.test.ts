import { readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import type { PetstoreCommand } from '../../../ops/cli/petstore-command.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';
import { petstore } from '../../../ops/program.ts';
import { ops } from '../../support/ops/ops.ts';
import { fileWith, header, localKeys } from '../../support/ops/ops-stage.ts';
import { stackOf } from '../../support/stack/synthesized.ts';

const { stage, create } = localKeys();

/** An action of IAM, and the resource on which it is taken, or the pattern of those allowed. */
interface Action {
  action: string;
  resource: string;
}

interface Statement {
  Action: string | string[];
  Resource: string;
}

const placeholders = { REGION: 'us-east-1', ACCOUNT: '111122223333', STAGE: 'staging' };

/** The policy in docs/reference.md, for an operator of the stage in the fake AWS. */
const policy = Object.entries(placeholders).reduce(
  (text, [name, value]) => text.replaceAll(name, value),
  /^```json\n([\s\S]*?)^```$/m.exec(readFileSync('docs/reference.md', 'utf8'))?.[1] ?? '',
);
const allowed = JSON.parse(policy).Statement.flatMap(({ Action, Resource }: Statement) =>
  [Action].flat().map((action): Action => ({ action, resource: Resource })),
) as Action[];

const matches = (pattern: string, resource: string): boolean =>
  new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`).test(resource);

const permissionFor = ({ action, resource }: Action): Action | undefined =>
  allowed.find((each) => each.action === action && matches(each.resource, resource));

// CloudFormation makes the logical id of a table part of its name.
const logicalIds = Object.keys(stackOf('staging').byName('AWS::DynamoDB::GlobalTable'));
const nameOf = (table: string): string =>
  `staging-petstore-inventory-${logicalIds.find((id) => id.startsWith(table))}-1ABC`;

const tables = 'arn:aws:dynamodb:us-east-1:111122223333:table';

const dynamodbResource = (table: string): string =>
  `${tables}/${nameOf(table.startsWith('keys-') ? 'ApiKeys' : 'Inventory')}`;

/** What the SDK's retry gets if the first try was applied, but its response was lost. */
const foundItsOwnWrite = {
  status: 400,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' },
};

/**
 * Runs a command in a deployed stage, and returns all that it does in AWS. Its first conditional
 * write finds that it was applied already.
 */
const actionsOf = async (words: string[], input: string): Promise<Action[]> => {
  const actions: Action[] = [];
  stage.react = async ({ operation, body, forward }) => {
    const [table = ''] = body.TableName ? [body.TableName] : Object.keys(body.RequestItems);
    const action = `dynamodb:${operation}`;
    const isFirst = !actions.some((each) => each.action === action);
    actions.push({ action, resource: dynamodbResource(table) });
    const answer = await forward();
    return isFirst && /^(Put|Delete)Item$/.test(operation) ? foundItsOwnWrite : answer;
  };
  stage.onFlush = (response) => {
    const { method, url } = response.req;
    const resource = `arn:aws:apigateway:us-east-1::${url}`;
    actions.push({ action: `apigateway:${method}`, resource });
    return response.writeHead(202).end();
  };
  const aws = await stage.account();
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
  const untilChecksEnd = 10_000;
  const { code, errors } = await ops([...words, '--stage', 'staging'], {
    env: aws.environment,
    input,
    when: { printed: /once more/, react: () => jest.advanceTimersByTime(untilChecksEnd) },
  });
  expect(code === 0 ? '' : errors).toBe('');
  for (const call of aws.calls) {
    const [, action = '', stackName] = call.split(' ');
    const resource = `arn:aws:cloudformation:us-east-1:111122223333:stack/${stackName}/1`;
    actions.push({ action, resource });
  }
  return actions;
};

const file = fileWith(`${header}2,5,sold\n3,3,sold\n`);

/** Every command for keys and stock, each so that it does all that it can. */
const commands = [
  'keys create --name shop',
  'keys list',
  'keys find',
  'keys update ID --name x',
  'keys rotate ID --overlap 1h',
  'keys revoke ID --now',
  `inventory import ${file} --on-conflict replace`,
  'inventory export',
  'inventory check',
  'inventory list',
  'inventory get 2',
  'inventory set 2 5',
  'inventory set-status 2 pending',
  'inventory remove 2 --yes',
];

/** Finds a command of petstore by its words. */
const commandOf = (line: string): PetstoreCommand | undefined => {
  const [group, name] = line.split(' ');
  return petstore({} as Terminal)
    .commands.find((each) => each.name() === group)
    ?.commands.find((each) => each.name() === name);
};

/** Runs a command on a stage with an entry and a key, whose id stands for ID. */
const runOnStage = async (command: string): Promise<Action[]> => {
  await stage.reset();
  await stage.put({ petId: { N: '2' }, quantity: { N: '2' }, status: { S: 'sold' } });
  const { id, key } = await create();
  try {
    return await actionsOf(command.replace('ID', id).split(' '), key);
  } finally {
    jest.useRealTimers();
  }
};

test('each command does what its help says, and the policy of an operator allows just that', async () => {
  const needed = new Set<Action | undefined>();
  for (const command of commands) {
    const actions = await runOnStage(command);
    const taken = [...new Set(actions.map(({ action }) => action))].sort();
    const forbidden = actions.filter((action) => !permissionFor(action));
    const declared = commandOf(command)?.allPermissions().toSorted();
    expect({ command, taken, forbidden }).toEqual({ command, taken: declared, forbidden: [] });
    actions.forEach((action) => void needed.add(permissionFor(action)));
  }
  expect(allowed.filter((permission) => !needed.has(permission))).toEqual([]);
});

test('every command for keys and stock is compared with the policy', () => {
  const paths = petstore({} as Terminal).commands.flatMap((group: PetstoreCommand) =>
    group.commands.map((command) => `${group.name()} ${command.name()}`),
  );
  const compared = commands.map((command) => command.split(' ').slice(0, 2).join(' '));
  expect(compared.sort()).toEqual(paths.sort());
});
