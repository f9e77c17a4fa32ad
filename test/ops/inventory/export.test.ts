import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { temporaryDirectory } from '../../support/local-run.ts';
import { ops } from '../../support/ops.ts';
import { exported, fileWith, header, importText, inventory, tablesOfStage } from '../../support/ops-stage.ts';

const csv = `petId,quantity,status
-9223372036854775808,1,pending
2,3,pending
42,9007199254740991,available
9007199254740993,5,available
9223372036854775807,0,sold
`;
const objects = [...csv.matchAll(/^(.*\d),(.*),(.*)$/gm)].map(
  ([, petId, quantity, status]) => `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`,
);

const stage = tablesOfStage();
beforeEach(() => importText(csv));

test.each([
  ['csv', csv, header],
  ['json', `[\n${objects.join(',\n')}\n]\n`, '[\n]\n'],
  ['ndjson', `${objects.join('\n')}\n`, ''],
])('%s is written in order of petId and imported again, every digit exact', async (format, text, empty) => {
  expect(await inventory('export', '--format', format)).toEqual({ code: 0, output: text, problems: [] });
  const out = fileWith('');
  const toFile = await inventory('export', '--format', format, '--out', out);
  expect(toFile).toEqual({ code: 0, output: `Wrote 5 entries to ${out}.\n`, problems: [] });

  expect(await inventory('import', out)).toEqual({ code: 0, output: '5 read: 5 unchanged.\n', problems: [] });
  await stage.reset();
  expect(await inventory('export', '--format', format)).toEqual({ code: 0, output: empty, problems: [] });
  const again = await importText(text, '--format', format);
  expect(again).toEqual({ code: 0, output: '5 read: 5 created.\n', problems: [] });
  expect(await exported()).toBe(csv);
});

test('means JSON by --json, and prints nothing else with it', async () => {
  expect(await inventory('export', '--json')).toMatchObject({ code: 0, output: `[\n${objects.join(',\n')}\n]\n` });
  const out = fileWith('');
  const { output } = await inventory('export', '--format', 'csv', '--out', out, '--json');
  expect(JSON.parse(output)).toEqual({ entries: 5, file: out });
  expect(readFileSync(out, 'utf8')).toBe(csv);
  const { code, output: none, errors } = await ops(['inventory', 'export', '--format', 'csv', '--json', '--local']);
  expect({ code, none, error: JSON.parse(errors).error.code }).toEqual({ code: 2, none: '', error: 'usage' });
});

test('replaces a file through its link, keeps its mode, follows no planted link and leaves nothing else', async () => {
  const [out, victim] = [fileWith('earlier'), fileWith('precious')];
  chmodSync(out, 0o640);
  symlinkSync(out, `${out}.link`);
  symlinkSync(victim, `${out}.unfinished`);
  expect(await inventory('export', '--out', `${out}.link`)).toMatchObject({ code: 0 });
  expect([out, victim].map((file) => readFileSync(file, 'utf8'))).toEqual([csv, 'precious']);
  expect(statSync(out).mode & 0o777).toBe(0o640);
  const beside = readdirSync(temporaryDirectory).filter((name) => name.startsWith(`${basename(out)}.`));
  expect(beside.toSorted()).toEqual([`${basename(out)}.link`, `${basename(out)}.unfinished`]);
});

test('is one text beyond a thousand entries', async () => {
  await stage.reset();
  const text = header + Array.from({ length: 1_001 }, (_row, petId) => `${petId},1,sold\n`).join('');
  await importText(text);
  expect(await inventory('export')).toEqual({ code: 0, output: text, problems: [] });
});
