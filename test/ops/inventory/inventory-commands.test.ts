import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type InventoryStage, importText, inventory, inventoryStage } from '../../support/ops-inventory.ts';

const csv = `petId,quantity,status
-9223372036854775808,1,pending
42,9007199254740991,available
9007199254740993,5,available
`;

let stage: InventoryStage;
beforeAll(async () => {
  stage = await inventoryStage();
});
beforeEach(async () => {
  await stage.reset();
  await importText(csv);
});

test.each([
  ['42', '{"petId":42,"quantity":9007199254740991,"status":"available"}\n'],
  ['-9223372036854775808', '{"petId":-9223372036854775808,"quantity":1,"status":"pending"}\n'],
])('get prints entry %s, every digit exact', async (petId, output) => {
  expect(await inventory('get', petId)).toEqual({ code: 0, output, problems: [] });
  expect(await inventory('get', petId, '--json')).toEqual({ code: 0, output, problems: [] });
});

test.each(['pending', 'sold', 'available'])('set-status sets %s and nothing else', async (status) => {
  expect(await inventory('set-status', '9007199254740993', status)).toEqual({
    code: 0,
    output: `{"petId":9007199254740993,"quantity":5,"status":"${status}"}\n`,
    problems: [],
  });
  expect(await stage.csv()).toBe(csv.replace(/^(9007199254740993,5,)\w+$/m, `$1${status}`));
});

test.each([
  ['get', '7'],
  ['set-status', '7', 'sold'],
  ['remove', '7', '--yes'],
  ['remove', '1.5', '--yes'],
])('%s %s finds no entry, and creates none', async (command, petId, ...options) => {
  expect(await inventory(command, petId, ...options)).toEqual({
    code: 5,
    output: '',
    problems: [`petstore: No entry has the petId ${petId}.`],
  });
  expect(await stage.csv()).toBe(csv);
});

test.each([
  ['get', 'x'],
  ['remove', '1,5'],
  ['remove', '1'.repeat(60_000)],
  ['set-status', '01', 'sold'],
  ['set-status', '9223372036854775808', 'sold'],
  ['set-status', '1', 'gone'],
])('%s %.20s is wrong usage', async (...options) => {
  expect(await inventory(...options)).toMatchObject({ code: 2, output: '' });
});

test('remove asks first, and without a terminal leaves the entry', async () => {
  expect(await inventory('remove', '42')).toEqual({
    code: 7,
    output: '',
    problems: [
      'petstore: Remove {"petId":42,"quantity":9007199254740991,"status":"available"} from staging?',
      'There is no terminal to ask on. Confirm with --yes.',
    ],
  });
  expect(await stage.csv()).toBe(csv);
});

test.each(['42', '-9223372036854775808'])('remove --yes removes %s alone', async (petId) => {
  const [row = ''] = new RegExp(`^${petId},.*\n`, 'm').exec(csv) ?? [];
  expect(JSON.parse((await inventory('remove', petId, '--yes', '--json')).output)).toMatchObject({ removed: {} });
  expect(await stage.csv()).toBe(csv.replace(row, ''));
});

test('remove leaves an entry that was changed since it was read', async () => {
  stage.react = async ({ operation, forward }) => {
    if (operation === 'DeleteItem') {
      await stage.put({ petId: { N: '42' }, quantity: { N: '1' }, status: { S: 'sold' } });
    }
    return forward();
  };
  expect(await inventory('remove', '42', '--yes')).toMatchObject({
    code: 4,
    problems: ['petstore: petId 42 was changed just now, and was not removed.'],
  });
  expect(await stage.csv()).toBe(csv.replace('42,9007199254740991,available', '42,1,sold'));
});

test('check finds nothing in entries that keep the contract', async () => {
  expect(await inventory('check')).toEqual({ code: 0, output: '3 checked.\n', problems: [] });
});

const [quantity, status] = [{ N: '1' }, { S: 'sold' }];

test.each([
  ['5', {}, /^its quantity is missing .*; its status is missing /],
  ['5', { quantity: { N: '-3' }, status }, /^its quantity is -3 and must be an integer from 0 to 9007199254740991$/],
  ['5', { quantity: { N: '1.5' }, status }, /^its quantity is 1\.5 /],
  ['5', { quantity: { N: '9007199254740993' }, status }, /^its quantity is 9007199254740993 /],
  ['5', { quantity: { S: '1' }, status }, /^its quantity is "1" /],
  ['5', { quantity: { BOOL: true }, status }, /^its quantity is of another type /],
  ['5', { quantity, status: { S: 'gone' } }, /^its status is "gone" and must be one of available, pending, sold$/],
  ['5', { quantity, status: { N: '1' } }, /^its status is 1 /],
  ['1.5', { quantity, status }, /^its petId is 1\.5 and must be an int64$/],
  ['9223372036854775808', { quantity, status }, /^its petId is 9223372036854775808 /],
  ['-1E+120', { quantity, status }, /^its petId is -1/],
])('check finds entry %s with %j, and remove takes it as it is printed', async (petId, item, reason) => {
  await stage.put({ petId: { N: petId }, ...item });
  const { code, output } = await inventory('check', '--json');
  const { checked, broken } = JSON.parse(output);
  expect({ code, checked, broken }).toEqual({
    code: 3,
    checked: 4,
    broken: [{ petId: expect.any(String), reason: expect.stringMatching(reason) }],
  });
  const printed = broken[0].petId;
  const text = await inventory('check');
  expect(text).toEqual({
    code: 3,
    output: `petId ${printed}: ${broken[0].reason}.\n4 checked.\n`,
    problems: [
      'petstore: Entries that break the contract: 1.',
      expect.stringMatching(`remove it: npx petstore inventory remove ${printed} --local$`.replace('+', '\\+')),
    ],
  });
  expect(await inventory('remove', printed, '--yes')).toMatchObject({ code: 0 });
  expect(await stage.csv()).toBe(csv);
});

test('set-status repairs a status', async () => {
  await stage.put({ petId: { N: '5' }, quantity, status: { S: 'gone' } });
  expect(await inventory('set-status', '5', 'sold')).toMatchObject({ code: 0 });
  expect(await inventory('check')).toMatchObject({ code: 0, output: '4 checked.\n' });
});
