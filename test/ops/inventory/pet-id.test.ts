// What the commands on one entry make of a petId that no entry has, or that is none.
import { expect, test } from '@jest/globals';
import { inventoryStage, onLocal } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

const commands = [
  { command: 'get', options: [] },
  { command: 'set', options: ['--quantity', '1'] },
  { command: 'remove', options: ['--yes'] },
];

test.each(commands)('$command fails if no entry has the petId, and creates none', async (row) => {
  expect(await stage.local([row.command, '7', ...row.options])).toStrictEqual({
    code: 1,
    output: '',
    errors: `${onLocal}petstore: No entry has the petId 7. inventory import creates entries.\n`,
  });
  expect(await stage.entries()).toStrictEqual([]);
});

test.each(commands)('$command with 07 for 7 is wrong usage, and changes nothing', async (row) => {
  await stage.put('7,7,sold');
  expect(await stage.local([row.command, '07', ...row.options])).toStrictEqual({
    code: 2,
    output: '',
    errors:
      "error: command-argument value '07' is invalid for argument 'petId'. " +
      'It must be an int64 in digits without leading zeros.\n(--help shows how it is used)\n',
  });
  expect(await stage.entries()).toStrictEqual(['7,7,sold']);
});
