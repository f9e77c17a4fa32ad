import { beforeEach, expect, test } from '@jest/globals';
import { ops } from '../../support/ops/ops.ts';
import { exported, importText, inventory, tablesOfStage } from '../../support/ops/ops-stage.ts';

const csv = `petId,quantity,status
-9223372036854775808,1,pending
2,3,pending
42,9007199254740991,available
9007199254740993,5,available
`;
/** The two petIds that a double would round. */
const longPetIds = [
  { petId: '-9223372036854775808', rest: '"quantity":1,"status":"pending"' },
  { petId: '9007199254740993', rest: '"quantity":5,"status":"available"' },
];
const [quantity, status] = [{ N: '1' }, { S: 'sold' }];

const stage = tablesOfStage();
beforeEach(() => importText(csv));

test.each(longPetIds)('get prints $petId with every digit', async ({ petId, rest }) => {
  const output = `{"petId":${petId},${rest}}\n`;
  expect(await inventory('get', petId)).toEqual({ code: 0, output, problems: [] });
});

test.each(longPetIds)('remove --yes removes $petId and no other', async ({ petId, rest }) => {
  const output = `Removed {"petId":${petId},${rest}}.\n`;
  expect(await inventory('remove', petId, '--yes')).toEqual({ code: 0, output, problems: [] });
  expect(await exported()).toBe(csv.replace(new RegExp(`^${petId},.*\n`, 'm'), ''));
});

test('remove --json prints the removed entry', async () => {
  const { output } = await inventory('remove', '2', '--yes', '--json');
  expect(output).toBe('{"removed":{"petId":2,"quantity":3,"status":"pending"}}\n');
});

test('set sets the quantity, and prints the entry', async () => {
  const output = '{"petId":42,"quantity":0,"status":"available"}\n';
  expect(await inventory('set', '42', '0')).toEqual({ code: 0, output, problems: [] });
  expect(await exported()).toBe(csv.replace('42,9007199254740991,', '42,0,'));
});

test('set-status sets the status, and prints the entry', async () => {
  const output = '{"petId":2,"quantity":3,"status":"sold"}\n';
  expect(await inventory('set-status', '2', 'sold')).toEqual({ code: 0, output, problems: [] });
  expect(await exported()).toBe(csv.replace('2,3,pending', '2,3,sold'));
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

const missing = 'petstore: No entry has the petId 7.';

test.each([
  { options: ['get', '7'], code: 5, problem: missing },
  { options: ['set', '7', '1'], code: 5, problem: missing },
  { options: ['set-status', '7', 'sold'], code: 5, problem: missing },
  { options: ['remove', '7', '--yes'], code: 5, problem: missing },
  { options: ['get', '1e999'], code: 3, problem: /DynamoDB cannot store this number: Number over/ },
  { options: ['get', '042'], code: 2, problem: 'Did you mean 42?' },
  { options: ['set', '1.5', '1'], code: 2, problem: 'It must be an int64' },
  { options: ['set', '42', '-1'], code: 2, problem: 'It must be an integer from 0 to ' },
  { options: ['set-status', '1.5', 'sold'], code: 2, problem: 'It must be an int64' },
  { options: ['set-status', '42', 'gone'], code: 2, problem: 'Allowed choices are available, ' },
  { options: ['remove', '042', '--yes'], code: 2, problem: 'Did you mean 42?' },
])('$options exits with $code and changes nothing', async ({ options, code, problem }) => {
  const before = await stage.items();
  const { problems, ...result } = await inventory(...options);
  expect(result).toEqual({ code, output: '' });
  expect(problems[0]).toMatch(problem);
  expect(await stage.items()).toEqual(before);
});

test('remove asks for confirmation, and removes nothing without it', async () => {
  const typed = { prompt: /Remove \{"petId":42,.*\} from the local run\? \[y\/N\] /, text: '\r' };
  const errors = expect.stringMatching(/\[y\/N\] .*\npetstore: Nothing was changed\.\n$/s);
  const result = await ops(['inventory', 'remove', '42', '--local'], { typed });
  expect(result).toEqual({ code: 7, output: '', errors });
  expect(await exported()).toBe(csv);
});

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
