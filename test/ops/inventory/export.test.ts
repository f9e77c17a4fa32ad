import { existsSync, readFileSync } from 'node:fs';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ended, type LocalRun, localRun } from '../../support/local-run.ts';
import { ops, spawnOps } from '../../support/ops.ts';
import { emptyInventory, fileWith, importFile, inventoryCsv } from '../../support/ops-inventory.ts';

const sample = `petId,quantity,status
-9223372036854775808,1,pending
1,12,available
2,3,pending
3,0,sold
42,9007199254740991,available
9007199254740993,5,available
9223372036854775807,1,available
`;
const objects = sample
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => row.replace(/^(.*),(.*),(.*)$/, '{"petId":$1,"quantity":$2,"status":"$3"}'));

const expected = {
  csv: sample,
  json: `[\n${objects.join(',\n')}\n]\n`,
  ndjson: `${objects.join('\n')}\n`,
};

describe('ops inventory export', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  test.each(['csv', 'json', 'ndjson'] as const)('writes %s, ordered by petId, every digit exact', async (format) => {
    const { code, output, errors } = await ops(['inventory', 'export', '--format', format, '--local']);
    expect({ code, output }).toEqual({ code: 0, output: expected[format] });
    expect(errors).toMatch(/^Stage: .*\nRead 7 entries, [\d,]+\/s\n$/);
  });

  test.each(['csv', 'json', 'ndjson'] as const)('to %s can be imported to give the same table', async (format) => {
    const out = fileWith('');
    const { code, output } = await ops(['inventory', 'export', '--format', format, '--out', out, '--local']);
    expect({ code, output }).toEqual({ code: 0, output: `Wrote 7 entries to ${out}.\n` });
    expect(readFileSync(out, 'utf8')).toBe(expected[format]);
    expect(existsSync(`${out}.unfinished`)).toBe(false);

    await emptyInventory(run);
    expect(await importFile(out)).toEqual({ code: 0, output: '7 read: 7 created.\n', problems: [] });
    expect(await inventoryCsv(run)).toBe(sample);
  });

  test('writes JSON about a file', async () => {
    const out = fileWith('');
    const { output } = await ops(['inventory', 'export', '--out', out, '--json', '--local']);
    expect(JSON.parse(output)).toEqual({ entries: 7, file: out });
  });

  test('ends quietly when its reader leaves', async () => {
    const child = spawnOps(['inventory', 'export', '--local']);
    child.stdout?.destroy();
    const { code, errors } = await ended(child);
    expect({ code, errors }).toEqual({
      code: 0,
      errors: expect.stringMatching(/^Stage: .*\nRead 7 entries, [\d,]+\/s\n$/),
    });
  });

  test.each([
    ['/nowhere/pets.csv', "ENOENT: no such file or directory, access '/nowhere'"],
    ['/', '/ is a directory.'],
  ])('refuses to write to %s, before it reads', async (out, reason) => {
    const { code, errors } = await ops(['inventory', 'export', '--out', out, '--local']);
    expect(code).toBe(3);
    expect(errors).toMatch(new RegExp(`^Stage: .*\nops: ${reason}\n$`));
  });

  test('leaves an earlier file alone when it fails, and names an entry that is broken', async () => {
    const { client, inventory: TableName } = run.tables;
    await client.send(new PutItemCommand({ TableName, Item: { petId: { N: '5' }, quantity: { N: '1.5' } } }));
    const out = fileWith('earlier');
    const { code, errors } = await ops(['inventory', 'export', '--out', out, '--local']);
    expect({ code, errors }).toEqual({
      code: 3,
      errors: expect.stringMatching(
        /\nops: petId 5 has no valid quantity or status in the table\. Remove or import it\.\n$/,
      ),
    });
    expect(readFileSync(out, 'utf8')).toBe('earlier');

    expect((await ops(['inventory', 'remove', '5', '--yes', '--local'])).code).toBe(0);
    expect(await inventoryCsv(run)).toBe(sample);
  });

  test.each(['csv', 'json', 'ndjson'])('of an empty table to %s can be imported', async (format) => {
    await emptyInventory(run);
    const out = fileWith('');
    await ops(['inventory', 'export', '--format', format, '--out', out, '--local']);
    expect(await importFile(out)).toEqual({ code: 0, output: '0 read.\n', problems: [] });
  });
});
