import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const sold = '{"petId":-9223372036854775808,"quantity":7,"status":"sold"}';

test.each([
  { stored: '-9223372036854775808,7,sold', options: [], output: `Removed ${sold}.\n` },
  { stored: '-9223372036854775808,7,sold', options: ['--json'], output: `${sold}\n` },
  { stored: '42,-,-', options: [], output: 'Removed {"petId":42}.\n' },
])('remove $options removes $stored, and prints it', async ({ stored, options, output }) => {
  const [petId = ''] = stored.split(',');
  await stage.put(stored, '-9223372036854775807,7,sold');
  expect(await stage.local(['remove', petId, '--yes', ...options])).toStrictEqual({
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
  const { code, output, errors } = await stage.local(['remove', '1'], { typed });
  expect({ code, output, lastLine: errors.trimEnd().split('\n').at(-1) }).toStrictEqual({
    code: 1,
    output: '',
    lastLine: 'petstore: petId 1 was changed by somebody else just now, and was not removed.',
  });
  expect(await stage.entries()).toStrictEqual(['1,8,sold']);
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
