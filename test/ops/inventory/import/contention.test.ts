import { expect, jest, test } from '@jest/globals';
import { clientSettings } from '../../../../ops/stage/client-settings.ts';
import type { Passing, Reaction } from '../../../support/dynamodb/dynamodb-proxy.ts';
import { ops } from '../../../support/ops/ops.ts';
import {
  csvOf,
  exported,
  header,
  importText,
  tablesOfStage,
} from '../../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

const written = ({ body: { Item, Key } }: Passing): string | undefined => (Item ?? Key)?.petId.N;

const others = '2,99,available\n';
const createdMeanwhile = { before: '', after: others };
const changedMeanwhile = { before: '2,2,available\n', after: others };

/** Has somebody else leave this row, or nothing, just before the import writes petId 2. */
const changeBeforeWrite = (row: string): void => {
  stage.react = async (passing) => {
    if (written(passing) === '2') {
      const entry = { petId: { N: '2' }, quantity: { N: '99' }, status: { S: 'available' } };
      await (row === others ? stage.put(entry) : stage.remove('2'));
    }
    return passing.forward();
  };
};

const threeRows = `${header}1,1,sold\n2,2,sold\n3,3,sold\n`;

test.each([
  { onConflict: 'fail', ...createdMeanwhile },
  { onConflict: 'replace', ...createdMeanwhile },
  { onConflict: 'replace', ...changedMeanwhile },
  { onConflict: 'replace', before: '2,99,pending\n', after: others },
  { onConflict: 'replace', before: '2,2,available\n', after: '' },
])(
  'an entry that changes from $before to $after before its write is kept and named ($onConflict)',
  async (row) => {
    const { onConflict, before, after } = row;
    await importText(header + before);
    changeBeforeWrite(after);
    const result = await importText(threeRows, '--on-conflict', onConflict);
    const what = after ? 'changed to {"petId":2,"quantity":99,"status":"available"}' : 'removed';
    expect(result).toEqual({
      code: 4,
      output: '3 read: 2 created, 1 changed by someone else and left as they are.\n',
      problems: [
        `Line 3: petId 2 has just been ${what} by someone else. It was left as it is.`,
        'petstore: Some entries were changed by someone else during the import, ' +
          'and were left as they are.',
      ],
    });
    expect(await exported()).toBe(`${header}1,1,sold\n${after}3,3,sold\n`);
  },
);

test('--on-conflict skip counts an entry that appears before its write as skipped', async () => {
  changeBeforeWrite(others);
  expect(await importText(threeRows, '--on-conflict', 'skip')).toEqual({
    code: 0,
    output: '3 read: 2 created, 1 skipped.\n',
    problems: [],
  });
  expect(await exported()).toBe(`${header}1,1,sold\n${others}3,3,sold\n`);
});

test('with --json, the error lists the entries that changed before their write', async () => {
  changeBeforeWrite(others);
  const { code, output, errors } = await ops(['inventory', 'import', '-', '--json', '--local'], {
    input: threeRows,
  });
  const reason =
    'petId 2 has just been changed to {"petId":2,"quantity":99,"status":"available"} ' +
    'by someone else. It was left as it is.';
  const problems = [{ line: 3, reason, column: 'petId', value: '2' }];
  const { error } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
  expect({ code, error }).toMatchObject({ code: 4, error: { code: 'conflict', problems } });
  expect(JSON.parse(output)).toMatchObject({ created: 2, changed: 1, left: 0, problems });
});

test.each([
  ['too large', { N: '9007199254740993' }],
  ['bytes', { B: new Uint8Array(1) }],
  ['missing', undefined],
])(
  'an import replaces an entry whose quantity is %s, and keeps its other attributes',
  async (_what, quantity) => {
    const [petId, note] = [{ N: '1' }, { S: 'x' }];
    await stage.put({ petId, ...(quantity && { quantity }), note });
    const result = await importText(`${header}1,7,sold\n`, '--on-conflict', 'replace');
    expect(result).toEqual({ code: 0, output: '1 read: 1 replaced.\n', problems: [] });
    expect(await stage.items()).toEqual([
      { petId, quantity: { N: '7' }, status: { S: 'sold' }, note },
    ]);
  },
);

const throttling: Reaction = {
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'no',
  },
};

const halfResponse = async ({ response, forward }: Passing): Promise<Reaction> => {
  const { status, headers, bytes } = await forward();
  response.writeHead(status, headers).write(bytes.subarray(1));
  return 'written';
};

/** More attempts than the SDK makes by itself. */
const manyAttempts = 6;

test.each<{ what: string; attempts: number; react: (passing: Passing) => Promise<Reaction> }>([
  { what: 'is lost', attempts: 2, react: async ({ forward }) => void (await forward()) },
  { what: 'does not end', attempts: 2, react: halfResponse },
  { what: 'is a throttling', attempts: manyAttempts, react: async () => throttling },
])('an entry is created and counted once when the response to its write $what', async (row) => {
  const attempts = new Map<string, number>();
  stage.react = async (passing) => {
    const petId = written(passing) ?? '';
    const attempt = (attempts.get(petId) ?? 0) + 1;
    attempts.set(petId, attempt);
    return petId.endsWith('7') && attempt < row.attempts ? row.react(passing) : passing.forward();
  };
  expect(clientSettings.requestHandler.socketTimeout).toBeLessThanOrEqual(10_000);
  jest.replaceProperty(clientSettings.requestHandler, 'socketTimeout', 1_000);
  const result = await importText(csvOf(20));
  jest.restoreAllMocks();
  expect(result).toEqual({ code: 0, output: '20 read: 20 created.\n', problems: [] });
  expect(attempts.get('9007199254740997')).toBe(row.attempts);
  expect(await exported()).toBe(csvOf(20));
});

test('an import requests again the keys that DynamoDB left unprocessed', async () => {
  await importText(csvOf(10));
  const asked: number[] = [];
  stage.react = async ({ operation, body, forward }) => {
    if (operation !== 'BatchGetItem') {
      return forward();
    }
    const [[table, request]] = Object.entries(body.RequestItems) as [[string, { Keys: unknown[] }]];
    asked.push(request.Keys.length);
    const left = { ...request, Keys: request.Keys.splice(3) };
    const { status, body: response } = await forward();
    return {
      status,
      body: { ...response, UnprocessedKeys: left.Keys.length > 0 ? { [table]: left } : {} },
    };
  };
  const result = await importText(csvOf(11));
  expect(result).toEqual({ code: 0, output: '11 read: 1 created, 10 unchanged.\n', problems: [] });
  expect(asked).toEqual([11, 8, 5, 2]);
});
