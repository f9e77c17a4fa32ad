import { writeFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { ops } from '../../support/ops/ops.ts';
import {
  exported,
  fileWith,
  header,
  importText,
  inventory,
  tablesOfStage,
} from '../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

test('an import names each invalid entry with its column and value, and imports the others with --skip-invalid', async () => {
  const text = `${header}1,1,sold\nx,-1,gone\n3,,sold\n1,2,sold\n9,1\n10,1e2,pending\n1,3,sold\n`;
  const int64 =
    'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
  const wrong: [line: number, reason: string, column: string | undefined, value?: string][] = [
    [3, `petId must be ${int64}, not "x".`, 'petId', '"x"'],
    [3, 'quantity must be an integer from 0 to 9007199254740991, not -1.', 'quantity', '-1'],
    [3, 'status must be available, pending or sold, not "gone".', 'status', '"gone"'],
    [4, 'quantity must be an integer from 0 to 9007199254740991; it is missing.', 'quantity'],
    [5, 'petId 1 is in line 2 already.', 'petId', '1'],
    [6, 'There must be 3 cells, not 2: "9,1".', undefined, '"9,1"'],
    [8, 'petId 1 is in line 2 already.', 'petId', '1'],
  ];
  const asText = wrong.map(([line, reason]) => `Line ${line}: ${reason}`);
  const problems = wrong.map(([line, reason, column, value]) => ({ line, reason, column, value }));
  const message = '5 entries are invalid. Nothing was written.';
  const hint = '--skip-invalid imports the others.';

  const told = [...asText, `petstore: ${message}`, hint];
  expect(await importText(text)).toEqual({ code: 3, output: '', problems: told });
  const { code, output, errors } = await ops([
    'inventory',
    'import',
    fileWith(text),
    '--json',
    '--local',
  ]);
  const error = { code: 'invalid', message, hint, problems };
  const last = JSON.parse(errors.trimEnd().replace(/.*\n/gs, ''));
  expect({ code, output, last }).toEqual({ code: 3, output: '', last: { error } });
  expect(await stage.items()).toEqual([]);

  const created = '7 read: 5 invalid, 2 created.\n';
  expect(await importText(text, '--skip-invalid')).toEqual({
    code: 0,
    output: created,
    problems: asText,
  });
  expect(await exported()).toBe(`${header}1,1,sold\n10,100,pending\n`);
  const again = await importText(text, '--skip-invalid', '--json');
  const none = { created: 0, replaced: 0, skipped: 0, changed: 0, left: 0 };
  expect(JSON.parse(again.output)).toEqual({
    ...none,
    read: 7,
    invalid: 5,
    unchanged: 2,
    problems,
  });
  const ofArray = await importText('[1]', '--skip-invalid', '--json');
  expect(JSON.parse(ofArray.output).problems).toEqual([{ element: 1, reason: expect.any(String) }]);
});

test('an import asks the operator to remove a journal that an older version left', async () => {
  const file = fileWith(header);
  writeFileSync(
    `${file}.import`,
    '{"input":"pets","stageName":"staging","tableId":"x","onConflict":"fail"}\n[2,"1",1',
  );
  const problems = [
    `${file}.import is a journal that an older version left. It is no longer used: remove it.`,
  ];
  expect(await inventory('import', file)).toEqual({ code: 0, output: '0 read.\n', problems });
});

const existing = `${header}1,1,sold\n2,2,sold\n3,3,sold\n`;
const differing = `${header}1,1,sold\n2,5,available\n4,4,pending\n`;
const replaced = `${header}1,1,sold\n2,5,available\n3,3,sold\n4,4,pending\n`;
const conflict = [
  'Line 3: petId 2 exists already: {"petId":2,"quantity":2,"status":"sold"}.',
  'petstore: 1 entry is in the table already, with other values. Nothing was written.',
  '--on-conflict skip leaves them as they are, --on-conflict replace sets them to what the file says.',
];

test.each([
  ['', 4, '', conflict, existing],
  ['skip', 0, '3 read: 1 created, 1 unchanged, 1 skipped.\n', [], `${existing}4,4,pending\n`],
  ['replace', 0, '3 read: 1 created, 1 replaced, 1 unchanged.\n', [], replaced],
  [
    'replace --dry-run',
    0,
    '3 read: 1 to replace, 1 unchanged, 1 to create. Nothing was written.\n',
    [],
    existing,
  ],
])(
  'an import into a table with entries obeys --on-conflict %s',
  async (action, code, output, problems, after) => {
    await importText(existing);
    const options = action ? ['--on-conflict', ...action.split(' ')] : [];
    expect(await importText(differing, ...options)).toEqual({ code, output, problems });
    expect(await exported()).toBe(after);
  },
);

test('with --json on a terminal, an error after a progress bar is printed on its own line', async () => {
  let seconds = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => seconds++ * 1_000);
  const input = `${header}1,1,sold\n"`;
  const { code, errors } = await ops(['inventory', 'import', '-', '--json', '--local'], {
    input,
    onTerminal: true,
  });
  jest.restoreAllMocks();
  expect(code).toBe(3);
  expect(errors).toContain('\rChecked 1 entry, ');
  expect(JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    error: { code: 'invalid' },
  });
});
