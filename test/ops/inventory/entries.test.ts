import { beforeAll, describe, expect, test } from '@jest/globals';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { ops, opsJson } from '../../support/ops.ts';
import { inventoryCsv } from '../../support/ops-inventory.ts';

describe('ops inventory', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const withoutStage = (errors: string) => errors.replace(/^Stage: .*\n/, '');

  test.each(['pending', 'sold', 'available'])('set-status sets %s and nothing else', async (status) => {
    const before = await inventoryCsv(run);
    const { code, output } = await ops(['inventory', 'set-status', '9007199254740993', status, '--local']);
    expect({ code, output }).toEqual({
      code: 0,
      output: `petId 9007199254740993 is ${status}, with a quantity of 5.\n`,
    });
    expect(await inventoryCsv(run)).toBe(before.replace(/^(9007199254740993,5,)\w+$/m, `$1${status}`));
  });

  test('set-status answers with the entry, every digit exact', async () => {
    expect(await opsJson('inventory', 'set-status', '9223372036854775807', 'sold')).toEqual({
      petId: 9223372036854775807n,
      quantity: 1,
      status: 'sold',
    });
  });

  test('set-status and remove create nothing', async () => {
    const before = await inventoryCsv(run);
    for (const command of [
      ['set-status', '7', 'sold'],
      ['remove', '7', '--yes'],
    ]) {
      const { code, output, errors } = await ops(['inventory', ...command, '--local']);
      expect({ code, output, errors: withoutStage(errors) }).toEqual({
        code: 5,
        output: '',
        errors: 'ops: No entry has the petId 7.\n',
      });
    }
    expect(await inventoryCsv(run)).toBe(before);
  });

  test.each(['01', '9223372036854775808', 'x', '1.0'])('refuse petId %s', async (petId) => {
    for (const command of [
      ['set-status', petId, 'sold'],
      ['remove', petId],
    ]) {
      const { code, errors } = await ops(['inventory', ...command, '--local']);
      expect({ code, errors }).toEqual({
        code: 2,
        errors:
          `ops: command-argument value '${petId}' is invalid for argument 'petId'. petId must be an integer from ` +
          `-9223372036854775808 to 9223372036854775807, in digits without leading zeros, not "${petId}".\n`,
      });
    }
  });

  test('set-status refuses another status', async () => {
    expect(await ops(['inventory', 'set-status', '1', 'gone', '--local'])).toEqual({
      code: 2,
      output: '',
      errors:
        "ops: command-argument value 'gone' is invalid for argument 'status'. Allowed choices are available, pending, sold.\n",
    });
  });

  test('remove asks first, and without a terminal leaves the entry', async () => {
    const before = await inventoryCsv(run);
    const { code, output, errors } = await ops(['inventory', 'remove', '42', '--local']);
    expect({ code, output, errors: withoutStage(errors) }).toEqual({
      code: 7,
      output: '',
      errors:
        'ops: Remove petId 42 (quantity 9007199254740991, available) from staging?\n' +
        'There is no terminal to ask on; --yes confirms.\n',
    });
    expect(await inventoryCsv(run)).toBe(before);
  });

  test.each([
    ['42', '42,9007199254740991,available\n'],
    ['-9223372036854775808', '-9223372036854775808,1,pending\n'],
  ])('remove --yes removes %s alone', async (petId, row) => {
    const before = await inventoryCsv(run);
    expect(await opsJson('inventory', 'remove', petId, '--yes')).toMatchObject({ removed: {} });
    expect(before).toContain(row);
    expect(await inventoryCsv(run)).toBe(before.replace(row, ''));
  });
});
