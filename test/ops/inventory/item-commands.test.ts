import { beforeEach, expect, test } from '@jest/globals';
import { ops } from '../../support/ops/ops.ts';
import { exported, importText, inventory, tablesOfStage } from '../../support/ops/ops-stage.ts';

const csv = `petId,quantity,status
-9223372036854775808,1,pending
2,3,pending
42,9007199254740991,available
9007199254740993,5,available
`;
const objects = [...csv.matchAll(/^(.*\d),(.*),(.*)$/gm)].map(
  ([, petId = '', quantity, status]) => ({
    petId,
    json: `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`,
  }),
);
const [quantity, status] = [{ N: '1' }, { S: 'sold' }];

const stage = tablesOfStage();
beforeEach(() => importText(csv));

test.each(objects)('get prints $json with every digit', async ({ petId, json }) => {
  expect(await inventory('get', petId)).toEqual({ code: 0, output: `${json}\n`, problems: [] });
});

test.each(objects)('remove --yes removes $json and no other entry', async ({ petId, json }) => {
  const removed = { code: 0, output: `Removed ${json}.\n`, problems: [] };
  expect(await inventory('remove', petId, '--yes')).toEqual(removed);
  expect(await exported()).toBe(csv.replace(new RegExp(`^${petId},.*\n`, 'm'), ''));
});

test('remove --json prints the removed entry', async () => {
  const { output } = await inventory('remove', '2', '--yes', '--json');
  expect(output).toBe('{"removed":{"petId":2,"quantity":3,"status":"pending"}}\n');
});

test.each(['0', '7', '9007199254740991'])('set sets the quantity to %s', async (given) => {
  const output = `{"petId":42,"quantity":${given},"status":"available"}\n`;
  expect(await inventory('set', '42', given)).toEqual({ code: 0, output, problems: [] });
  expect(await exported()).toBe(csv.replace('42,9007199254740991,', `42,${given},`));
});

test.each(['available', 'pending', 'sold'])('set-status sets the status to %s', async (given) => {
  const output = `{"petId":2,"quantity":3,"status":"${given}"}\n`;
  expect(await inventory('set-status', '2', given)).toEqual({ code: 0, output, problems: [] });
  expect(await exported()).toBe(csv.replace('2,3,pending', `2,3,${given}`));
});

test.each([
  { command: 'set', value: '5', after: { quantity: { N: '5' }, status: { S: 'gone' } } },
  { command: 'set-status', value: 'sold', after: { quantity: { S: 'many' }, status } },
])('$command changes one attribute, also of a broken entry', async ({ command, value, after }) => {
  const [petId, note] = [{ N: '42' }, { S: 'x' }];
  await stage.put({ petId, quantity: { S: 'many' }, status: { S: 'gone' }, note });
  expect(await inventory(command, '42', value)).toMatchObject({ code: 0 });
  expect(await stage.items()).toContainEqual({ petId, ...after, note });
});

test.each([
  { options: ['get', '7'], code: 5, problem: 'petstore: No entry has the petId 7.' },
  { options: ['set', '7', '1'], code: 5, problem: 'petstore: No entry has the petId 7.' },
  { options: ['set-status', '7', 'sold'], code: 5, problem: 'petstore: No entry has the petId 7.' },
  { options: ['remove', '7', '--yes'], code: 5, problem: 'petstore: No entry has the petId 7.' },
  {
    options: ['get', '1e999'],
    code: 3,
    problem: 'petstore: DynamoDB cannot store this number: Number overflow.',
  },
  {
    options: ['get', '042'],
    code: 2,
    problem: /: Command-argument value '042' is invalid .* Did you mean 42\?$/,
  },
  { options: ['remove', '042', '--yes'], code: 2, problem: 'Did you mean 42?' },
  { options: ['set', '042', '1'], code: 2, problem: 'Did you mean 42?' },
  {
    options: ['set', '42', '-1'],
    code: 2,
    problem: 'It must be an integer from 0 to 9007199254740991.',
  },
  { options: ['set-status', '042', 'sold'], code: 2, problem: 'Did you mean 42?' },
  {
    options: ['set-status', '42', 'gone'],
    code: 2,
    problem: 'Allowed choices are available, pending, sold.',
  },
])('$options exits with $code and changes nothing', async ({ options, code, problem }) => {
  const before = await stage.items();
  const { problems, ...result } = await inventory(...options);
  expect(result).toEqual({ code, output: '' });
  expect(problems[0]).toMatch(problem);
  expect(await stage.items()).toEqual(before);
});

test.each(['n\r', '\r', 'yess\r', '\x04'])(
  'remove asks for confirmation, and takes %j as a no',
  async (text) => {
    const typed = { prompt: /Remove \{"petId":42,.*\} from the local run\? \[y\/N\] /, text };
    const errors = expect.stringMatching(/\[y\/N\] .*\npetstore: Nothing was changed\.\n$/s);
    expect(await ops(['inventory', 'remove', '42', '--local'], { typed })).toEqual({
      code: 7,
      output: '',
      errors,
    });
    expect(await exported()).toBe(csv);
  },
);

test.each([
  { command: ['set', '42', '7'], input: '' },
  { command: ['set-status', '42', 'sold'], input: '' },
  { command: ['remove', '42'], input: '' },
  { command: ['import', '-'], input: 'petId,quantity,status\n8,1,sold\n' },
])('on prod, $command --yes asks nothing', async ({ command, input }) => {
  const options = ['inventory', ...command, '--yes', '--stage', 'prod'];
  expect(await stage.deployed(options, { input })).toMatchObject({ code: 0 });
  expect(await exported()).not.toBe(csv);
});

test('on staging, remove asks for confirmation, and names the stage', async () => {
  const { code, errors } = await stage.deployed(['inventory', 'remove', '2', '--stage', 'staging']);
  expect(code).toBe(7);
  expect(errors).toContain('"status":"pending"} from staging?');
});

test('on prod, an import that has nothing to write asks nothing', async () => {
  const options = ['inventory', 'import', '-', '--stage', 'prod'];
  const output = '4 read: 4 unchanged.\n';
  expect(await stage.deployed(options, { input: csv })).toMatchObject({ code: 0, output });
});

test('remove keeps an entry that has changed since it was read', async () => {
  stage.react = async ({ operation, forward }) => {
    if (operation === 'DeleteItem') {
      await stage.put({ petId: { N: '42' }, quantity, status });
    }
    return forward();
  };
  const problems = ['petstore: petId 42 was changed just now, and was not removed.'];
  expect(await inventory('remove', '42', '--yes')).toEqual({ code: 4, output: '', problems });
  expect(await exported()).toBe(csv.replace('42,9007199254740991,available', '42,1,sold'));
});

test('remove succeeds although the response to its first try is lost', async () => {
  const statuses: number[] = [];
  stage.react = async ({ operation, forward }) => {
    const response = await forward();
    return operation === 'DeleteItem' && statuses.push(response.status) === 1
      ? undefined
      : response;
  };
  expect(await inventory('remove', '42', '--yes')).toMatchObject({ code: 0, problems: [] });
  expect(statuses).toEqual([200, 400]);
});

test.each([
  ['get', '42'],
  ['remove', '42', '--yes'],
])('%s reads what was written last', async (...options) => {
  const consistent: unknown[] = [];
  stage.react = async ({ operation, body, forward }) => {
    if (operation === 'BatchGetItem') {
      const requests: { ConsistentRead?: boolean }[] = Object.values(body.RequestItems);
      consistent.push(...requests.map(({ ConsistentRead }) => ConsistentRead));
    }
    return forward();
  };
  await inventory(...options);
  expect(consistent).toEqual([true]);
});
