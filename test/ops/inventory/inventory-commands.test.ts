import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { importText, inventory, inventoryStage } from '../../support/ops-inventory.ts';

const csv = `petId,quantity,status
-9223372036854775808,1,pending
42,9007199254740991,available
9007199254740993,5,available
`;
const [quantity, status] = [{ N: '1' }, { S: 'sold' }];

const stage = inventoryStage();
beforeEach(() => importText(csv));

test.each([
  ['42', '{"petId":42,"quantity":9007199254740991,"status":"available"}\n'],
  ['-9223372036854775808', '{"petId":-9223372036854775808,"quantity":1,"status":"pending"}\n'],
])('get prints entry %s, every digit exact, and remove --yes removes it alone', async (petId, output) => {
  expect(await inventory('get', petId)).toEqual({ code: 0, output, problems: [] });
  expect(await inventory('get', petId, '--json')).toEqual({ code: 0, output, problems: [] });

  const removed = { code: 0, output: `{"removed":${output.trimEnd()}}\n`, problems: [] };
  expect(await inventory('remove', petId, '--yes', '--json')).toEqual(removed);
  expect(await stage.csv()).toBe(csv.replace(new RegExp(`^${petId},.*\n`, 'm'), ''));
});

test.each(['pending', 'sold', 'available'])('set-status sets %s and nothing else', async (status) => {
  await stage.put({ petId: { N: '42' }, quantity, status: { S: 'gone' }, note: { S: 'x' } });
  const output = `{"petId":42,"quantity":1,"status":"${status}"}\n`;
  expect(await inventory('set-status', '42', status)).toEqual({ code: 0, output, problems: [] });
  const expected = { petId: { N: '42' }, quantity, status: { S: status }, note: { S: 'x' } };
  expect(await stage.items()).toContainEqual(expected);
  expect(await stage.csv()).toBe(csv.replace('42,9007199254740991,available', `42,1,${status}`));
});

test.each([
  ['get', '7'],
  ['set-status', '7', 'sold'],
  ['remove', '7', '--yes'],
  ['remove', '1.5', '--yes'],
])('%s %s finds no entry, and creates none', async (command, petId, ...options) => {
  const problems = [`petstore: No entry has the petId ${petId}.`];
  expect(await inventory(command, petId, ...options)).toEqual({ code: 5, output: '', problems });
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

test.each([
  ['quantity', { quantity: { N: '1' } }, '42,1,available'],
  ['status', { status: { S: 'sold' } }, '42,9007199254740991,sold'],
])('remove leaves an entry whose %s was changed since it was read', async (_what, change, after) => {
  const entry = { petId: { N: '42' }, quantity: { N: '9007199254740991' }, status: { S: 'available' } };
  stage.react = async ({ operation, forward }) => {
    if (operation === 'DeleteItem') {
      await stage.put({ ...entry, ...change });
    }
    return forward();
  };
  const problems = ['petstore: petId 42 was changed just now, and was not removed.'];
  expect(await inventory('remove', '42', '--yes')).toEqual({ code: 4, output: '', problems });
  expect(await stage.csv()).toBe(csv.replace('42,9007199254740991,available', after));
});

test('check finds nothing in entries that keep the contract', async () => {
  expect(await inventory('check')).toEqual({ code: 0, output: '3 checked.\n', problems: [] });
});

test.each<[string, Record<string, AttributeValue>, RegExp]>([
  ['5', {}, /^its quantity is missing .*; its status is missing /],
  ['5', { quantity: { BOOL: true }, status }, /^its quantity is of another type /],
  ['5', { quantity, status: { S: 'gone' } }, /^its status is "gone" and must be one of available, pending, sold$/],
  ['1.5', { quantity, status }, /^its petId is 1\.5 and must be an int64$/],
  ['9223372036854775808', { quantity, status }, /^its petId is 9223372036854775808 /],
  ['-1E+120', { quantity, status }, /^its petId is -1/],
])('check finds entry %s with %j, and remove takes it as it is printed', async (petId, item, reason) => {
  await stage.put({ petId: { N: petId }, ...item });
  const { code, output } = await inventory('check', '--json');
  const { checked, broken } = JSON.parse(output);
  expect({ code, checked, broken }).toEqual({
    ...{ code: 3, checked: 4 },
    broken: [{ petId: expect.any(String), reason: expect.stringMatching(reason) }],
  });
  const printed = broken[0].petId;
  expect(await inventory('check')).toEqual({
    code: 3,
    output: `petId ${printed}: ${broken[0].reason}.\n4 checked.\n`,
    problems: [
      'petstore: Entries that break the contract: 1.',
      'Repair it with import --on-conflict replace, set-status or a PATCH of its quantity, ' +
        `or remove it: npx petstore inventory remove ${printed} --local`,
    ],
  });
  expect(await inventory('remove', printed, '--yes')).toMatchObject({ code: 0 });
  expect(await stage.csv()).toBe(csv);
});
