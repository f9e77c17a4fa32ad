import { expect, jest, test } from '@jest/globals';
import { ops } from '../../../support/ops/ops.ts';
import {
  csvOf,
  exported,
  header,
  importText,
  inventory,
  tablesOfStage,
} from '../../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

/** Has the stage record the operations that change entries. */
const recordWrites = (): string[] => {
  const writes: string[] = [];
  stage.react = async ({ operation, forward }) => {
    if (!['Scan', 'BatchGetItem'].includes(operation)) {
      writes.push(operation);
    }
    return forward();
  };
  return writes;
};

const int64 =
  'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
const quantities = 'an integer from 0 to 9007199254740991';

/** A file with five invalid lines, and what is wrong with them. */
const faulty = `${header}1,1,sold\nx,-1,gone\n3,,sold\n1,2,sold\n9,1\n10,1e2,pending\n1,3,sold\n`;
const faults: [line: number, reason: string, column: string | undefined, value?: string][] = [
  [3, `petId must be ${int64}, not "x".`, 'petId', '"x"'],
  [3, `quantity must be ${quantities}, not -1.`, 'quantity', '-1'],
  [3, 'status must be available, pending or sold, not "gone".', 'status', '"gone"'],
  [4, `quantity must be ${quantities}; it is missing.`, 'quantity'],
  [5, 'petId 1 is in line 2 already.', 'petId', '1'],
  [6, 'There must be 3 cells, not 2: "9,1".', undefined, '"9,1"'],
  [8, 'petId 1 is in line 2 already.', 'petId', '1'],
];
const faultsAsText = faults.map(([line, reason]) => `Line ${line}: ${reason}`);
const faultsAsJson = faults.map(([line, reason, column, value]) => ({
  line,
  reason,
  column,
  value,
}));
const message = '5 entries are invalid. Nothing was written.';
const hint = '--skip-invalid imports the others.';

test('invalid entries stop an import, and each is named with its column and value', async () => {
  const writes = recordWrites();
  const problems = [...faultsAsText, `petstore: ${message}`, hint];
  expect(await importText(faulty)).toEqual({ code: 3, output: '', problems });
  expect(writes).toEqual([]);
});

test('with --json, the error lists every problem', async () => {
  const { code, output, errors } = await ops(['inventory', 'import', '-', '--json', '--local'], {
    input: faulty,
  });
  const last = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
  const error = { code: 'invalid', message, hint, problems: faultsAsJson };
  expect({ code, output, last }).toEqual({ code: 3, output: '', last: { error } });
});

test('--skip-invalid imports the valid entries', async () => {
  const output = '7 read: 5 invalid, 2 created.\n';
  const expected = { code: 0, output, problems: faultsAsText };
  expect(await importText(faulty, '--skip-invalid')).toEqual(expected);
  expect(await exported()).toBe(`${header}1,1,sold\n10,100,pending\n`);
});

const noCounts = { created: 0, replaced: 0, skipped: 0, changed: 0, left: 0 };

test('--skip-invalid --json prints the counts, and every problem', async () => {
  await importText(`${header}1,1,sold\n`);
  const { output } = await importText(faulty, '--skip-invalid', '--json');
  const counts = { ...noCounts, read: 7, invalid: 5, unchanged: 1, created: 1 };
  expect(JSON.parse(output)).toEqual({ ...counts, problems: faultsAsJson });
});

test('a problem in a JSON array is named by its element', async () => {
  const reason = 'An entry must be an object with petId, quantity and status, not an array.';
  const [asText, asJson] = [
    await importText('[[]]', '--skip-invalid'),
    await importText('[[]]', '--skip-invalid', '--json'),
  ];
  expect(asText.problems).toEqual([`Element 1: ${reason}`]);
  expect(JSON.parse(asJson.output).problems).toEqual([{ element: 1, reason }]);
});

test('a single invalid entry stops an import', async () => {
  const writes = recordWrites();
  expect(await importText(`${header}1,1,sold\n2,2,gone\n`)).toEqual({
    code: 3,
    output: '',
    problems: [
      'Line 3: status must be available, pending or sold, not "gone".',
      'petstore: 1 entry is invalid. Nothing was written.',
      hint,
    ],
  });
  expect(writes).toEqual([]);
});

test('a file that breaks off stops an import, even with --skip-invalid', async () => {
  const writes = recordWrites();
  const { code, output, problems } = await importText(`${header}1,1,sold\n"2`, '--skip-invalid');
  expect({ code, output }).toEqual({ code: 3, output: '' });
  expect(problems).toEqual([expect.stringMatching(/^petstore: After line 2: a quote is not clos/)]);
  expect(writes).toEqual([]);
});

/** The most problems that --json lists, which the documents promise. */
const mostProblems = 10_000;

test('--json lists the first 10,000 problems', async () => {
  const text = header + 'x,1,sold\n'.repeat(mostProblems + 1);
  const { output } = await importText(text, '--skip-invalid', '--json');
  const { invalid, problems } = JSON.parse(output);
  expect(invalid).toBe(mostProblems + 1);
  expect(problems.map(({ line }: { line: number }) => line)).toEqual(
    Array.from({ length: mostProblems }, (_problem, i) => i + 2),
  );
});

const existing = `${header}1,1,sold\n2,2,sold\n3,3,sold\n`;
const differing = `${header}1,1,sold\n2,5,available\n4,4,pending\n`;

test('entries that exist with other values stop an import, and are named', async () => {
  await importText(existing);
  const writes = recordWrites();
  expect(await importText(differing)).toEqual({
    code: 4,
    output: '',
    problems: [
      'Line 3: petId 2 exists already: {"petId":2,"quantity":2,"status":"sold"}.',
      'petstore: 1 entry is in the table already, with other values. Nothing was written.',
      '--on-conflict skip leaves them as they are, ' +
        '--on-conflict replace sets them to what the file says.',
    ],
  });
  expect(writes).toEqual([]);
});

test('with --json, the error lists the entries that exist with other values', async () => {
  await importText(existing);
  const { errors } = await ops(['inventory', 'import', '-', '--json', '--local'], {
    input: differing,
  });
  const { error } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
  const reason = 'petId 2 exists already: {"petId":2,"quantity":2,"status":"sold"}.';
  const problem = { line: 3, reason, column: 'petId', value: '2' };
  expect(error).toMatchObject({ code: 'conflict', problems: [problem] });
});

test.each([
  ['status', '2,2,available'],
  ['quantity', '2,3,sold'],
])('an entry differs if only its %s does', async (_column, row) => {
  await importText(existing);
  expect(await importText(`${header}${row}\n`)).toMatchObject({ code: 4 });
});

test.each([
  ['skip', '3 read: 1 created, 1 unchanged, 1 skipped.\n', `${existing}4,4,pending\n`],
  [
    'replace',
    '3 read: 1 created, 1 replaced, 1 unchanged.\n',
    `${header}1,1,sold\n2,5,available\n3,3,sold\n4,4,pending\n`,
  ],
])('--on-conflict %s says what becomes of each entry', async (action, output, after) => {
  await importText(existing);
  const expected = { code: 0, output, problems: [] };
  expect(await importText(differing, '--on-conflict', action)).toEqual(expected);
  expect(await exported()).toBe(after);
});

const invalidLine = '5,5,gone\n';

test.each([
  ['--skip-invalid', `${header}4,4,pending\n${invalidLine}`, '2 read: 1 invalid, 1 to create.'],
  ['--on-conflict skip', differing, '3 read: 1 unchanged, 1 skipped, 1 to create.'],
  ['--on-conflict replace', differing, '3 read: 1 to replace, 1 unchanged, 1 to create.'],
  [
    '--skip-invalid --on-conflict skip',
    differing + invalidLine,
    '4 read: 1 invalid, 1 unchanged, 1 skipped, 1 to create.',
  ],
])('--dry-run %s says what an import would do, and writes nothing', async (options, text, said) => {
  await importText(existing);
  const writes = recordWrites();
  const result = await importText(text, '--dry-run', ...options.split(' '));
  expect(result).toMatchObject({ code: 0, output: `${said} Nothing was written.\n` });
  expect(writes).toEqual([]);
});

test.each([
  ['invalid entries', header + invalidLine, 3],
  ['entries that exist with other values', differing, 4],
])('--dry-run fails as the import would: %s', async (_what, text, code) => {
  await importText(existing);
  expect(await importText(text, '--dry-run')).toMatchObject({ code, output: '' });
});

test('an import into an empty table looks nothing up', async () => {
  const operations: string[] = [];
  stage.react = async ({ operation, forward }) => {
    operations.push(operation);
    return forward();
  };
  await importText(csvOf(1));
  expect(operations).toEqual(['Scan', 'PutItem']);
});

test('an import looks up what it writes with consistent reads', async () => {
  await importText(csvOf(1));
  const reads: unknown[] = [];
  stage.react = async ({ operation, body, forward }) => {
    const [batch] = Object.values(body.RequestItems ?? {});
    reads.push([operation, { ...body, ...(batch as object) }.ConsistentRead]);
    return forward();
  };
  await importText(csvOf(1));
  expect(reads).toEqual([
    ['Scan', true],
    ['BatchGetItem', true],
  ]);
});

test('more entries than one request can look up are all looked up', async () => {
  const many = csvOf(101);
  await importText(many);
  expect(await importText(many)).toMatchObject({ code: 0, output: '101 read: 101 unchanged.\n' });
});

test('an import of no entries writes nothing', async () => {
  const writes = recordWrites();
  expect(await importText(header)).toEqual({ code: 0, output: '0 read.\n', problems: [] });
  expect(writes).toEqual([]);
});

test('on a terminal, the JSON of an error begins a line of its own', async () => {
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

test.each([
  ['/nowhere/pets.csv', /^petstore: There is no file \/nowhere\/pets\.csv\.$/],
  ['/', /^petstore: \/ is a directory\.$/],
  ['x'.repeat(300), /^petstore: ENAMETOOLONG: /],
])('an import of %s is rejected', async (path, problem) => {
  const { problems, ...result } = await inventory('import', path);
  expect(result).toEqual({ code: 3, output: '' });
  expect(problems[0]).toMatch(problem);
});

test('the help of import names the columns and what they hold', async () => {
  const { code, output } = await ops(['inventory', 'import', '--help']);
  expect(code).toBe(0);
  expect(output).toContain(`
  petId     an integer from -9223372036854775808 to 9223372036854775807
  quantity  an integer from 0 to 9007199254740991
  status    available, pending or sold
`);
});
