import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const min = '-9223372036854775808';
const entry = `{"petId":${min},"quantity":7,"status":"sold"}`;

test.each([
  { options: ['--yes'], output: `Removed ${entry}.\n` },
  { options: ['--yes', '--json'], output: `${entry}\n` },
])('remove $options removes one entry, and prints it', async ({ options, output }) => {
  await stage.put(`${min},7,sold`, '-9223372036854775807,7,sold');
  expect(await stage.local(['remove', min, ...options])).toStrictEqual({
    code: 0,
    output,
    errors: onLocal,
  });
  expect(await stage.entries()).toStrictEqual(['-9223372036854775807,7,sold']);
});

test('what somebody else writes while remove asks stays', async () => {
  await stage.put('1,7,sold');
  const typed = async () => {
    await stage.put('1,8,sold');
    return 'y\r';
  };
  expect((await stage.local(['remove', '1'], { typed })).code).toBe(1);
  expect(await stage.entries()).toStrictEqual(['1,8,sold']);
});

test('remove removes an entry that lacks everything', async () => {
  await stage.put('1,-,-');
  expect((await stage.local(['remove', '1', '--yes'])).output).toBe('Removed {"petId":1}.\n');
  expect(await stage.entries()).toStrictEqual([]);
});

test('remove of a petId that no entry has fails', async () => {
  expect(await stage.local(['remove', '7', '--yes'])).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onLocal}petstore: No entry has the petId 7. inventory import creates entries.\n`,
  });
});

test.each([
  { there: '1,7,sold', meanwhile: '1,6,sold' },
  { there: '1,7,sold', meanwhile: '1,7,pending' },
  { there: '1,7,-', meanwhile: '1,7,sold' },
  { there: '1,-,sold', meanwhile: '1,7,sold' },
])('an entry that changes from $there to $meanwhile before its removal stays', async (row) => {
  await stage.put(row.there);
  stage.beforeFirst('DeleteItem', () => stage.put(row.meanwhile));
  expect(await stage.local(['remove', '1', '--yes'])).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onLocal}petstore: ` +
      'petId 1 was changed by somebody else just now, and was not removed.\n',
  });
  expect(await stage.entries()).toStrictEqual([row.meanwhile]);
});

test('remove says what it removed although the response to its first try is lost', async () => {
  await stage.put('1,7,sold');
  const removals = stage.loseFirst('DeleteItem');
  expect(await stage.local(['remove', '1', '--yes'])).toStrictEqual({
    code: 0,
    output: 'Removed {"petId":1,"quantity":7,"status":"sold"}.\n',
    errors: onLocal,
  });
  expect(removals()).toBeGreaterThan(1);
  expect(await stage.entries()).toStrictEqual([]);
});

test('an entry that somebody creates after such a removal stays', async () => {
  await stage.put('1,7,sold');
  stage.loseFirst('DeleteItem', () => stage.put('1,1,available'));
  expect((await stage.local(['remove', '1', '--yes'])).code).toBe(1);
  expect(await stage.entries()).toStrictEqual(['1,1,available']);
});
