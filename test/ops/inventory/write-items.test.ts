import { afterEach, expect, jest, test } from '@jest/globals';
import { loadSample } from '../../../ops/inventory/load-sample.ts';
import { clientSettings, writesAtOnce } from '../../../ops/stage/client-settings.ts';
import type { Passing, Reaction } from '../../support/dynamodb/dynamodb-proxy.ts';
import { ops } from '../../support/ops/ops.ts';
import { csvOf, exported, header, importText, tablesOfStage } from '../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

afterEach(() => void jest.restoreAllMocks());

const writtenBy = ({ body: { Item, Key } }: Passing): string | undefined => (Item ?? Key)?.petId.N;

const others = '2,99,available\n';

/** Has somebody else leave this row, or nothing, just before the import writes petId 2. */
const changeBeforeWrite = (row: string): void => {
  stage.react = async (passing) => {
    if (writtenBy(passing) === '2') {
      const item = { petId: { N: '2' }, quantity: { N: '99' }, status: { S: 'available' } };
      await (row === others ? stage.put(item) : stage.remove('2'));
    }
    return passing.forward();
  };
};

const threeRows = `${header}1,1,sold\n2,2,sold\n3,3,sold\n`;
const changedTo = 'changed to {"petId":2,"quantity":99,"status":"available"}';

test.each([
  { onConflict: 'fail', before: '', after: others, what: changedTo },
  { onConflict: 'replace', before: '2,2,available\n', after: others, what: changedTo },
  { onConflict: 'replace', before: '2,99,pending\n', after: others, what: changedTo },
  { onConflict: 'replace', before: '2,2,available\n', after: '', what: 'removed' },
])(
  'an entry that changes from $before to $after before its write is kept and named ($onConflict)',
  async ({ onConflict, before, after, what }) => {
    await importText(header + before);
    changeBeforeWrite(after);
    expect(await importText(threeRows, '--on-conflict', onConflict)).toEqual({
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
  const words = ['inventory', 'import', '-', '--json', '--local'];
  const { code, output, errors } = await ops(words, { input: threeRows });
  const reason = `petId 2 has just been ${changedTo} by someone else. It was left as it is.`;
  const problems = [{ line: 3, reason, column: 'petId', value: '2' }];
  const { error } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
  expect({ code, error }).toMatchObject({ code: 4, error: { code: 'conflict', problems } });
  expect(JSON.parse(output)).toMatchObject({ created: 2, changed: 1, left: 0, problems });
});

test.each([
  { what: 'too large', quantity: { N: '9007199254740993' } },
  { what: 'missing', quantity: undefined },
])('a quantity that is $what is replaced, and other attributes are kept', async ({ quantity }) => {
  const [petId, note] = [{ N: '1' }, { S: 'x' }];
  await stage.put({ petId, ...(quantity && { quantity }), note });
  const result = await importText(`${header}1,7,sold\n`, '--on-conflict', 'replace');
  expect(result).toEqual({ code: 0, output: '1 read: 1 replaced.\n', problems: [] });
  const stored = { petId, quantity: { N: '7' }, status: { S: 'sold' }, note };
  expect(await stage.items()).toEqual([stored]);
});

const halfResponse = async ({ response, forward }: Passing): Promise<Reaction> => {
  const { status, headers, bytes } = await forward();
  response.writeHead(status, headers).write(bytes.subarray(1));
  return 'written';
};
const noResponse = async ({ forward }: Passing): Promise<Reaction> => void (await forward());

test.each([
  { what: 'is lost', react: noResponse },
  { what: 'does not end', react: halfResponse },
])('an entry is created and counted once when the response to its write $what', async (row) => {
  jest.replaceProperty(clientSettings.requestHandler, 'socketTimeout', 100);
  const attempts: number[] = [];
  stage.react = async (passing) => {
    const isFirst = writtenBy(passing)?.endsWith('7') && attempts.push(1) === 1;
    return isFirst ? row.react(passing) : passing.forward();
  };
  const output = '5 read: 5 created.\n';
  expect(await importText(csvOf(5))).toEqual({ code: 0, output, problems: [] });
  expect(attempts.length).toBeGreaterThan(1);
  expect(await exported()).toBe(csvOf(5));
});

/** More entries than are written at once. */
const total = 140;
const cutAt = 70;
const file = csvOf(total, 2);

/**
 * Cuts the import short at one write, while as many others as possible are in flight, which are
 * then forwarded. Returns a function that counts the writes begun.
 */
const cutShort = (cut: (passing: Passing) => Promise<Reaction>): (() => number) => {
  const isCut = Promise.withResolvers<void>();
  let begun = 0;
  stage.react = async (passing) => {
    begun += writtenBy(passing) === undefined ? 0 : 1;
    if (begun >= cutAt) {
      isCut.resolve();
      return cut(passing);
    }
    if (begun > cutAt - writesAtOnce) {
      await isCut.promise;
    }
    return passing.forward();
  };
  return () => begun;
};

const expired = {
  __type: 'com.amazon.coral.service#ExpiredTokenException',
  message: 'no',
};

test.each([
  {
    by: 'an error',
    before: header,
    onConflict: 'fail',
    done: 'created',
    cut: async (): Promise<Reaction> => ({ status: 400, body: expired }),
    code: 6,
    said: 'The AWS credentials have expired.\nSign in again. ',
  },
  {
    by: 'Ctrl-C',
    before: csvOf(total, 1),
    onConflict: 'replace',
    done: 'replaced',
    cut: async ({ forward }: Passing, interrupt: () => void): Promise<Reaction> => {
      interrupt();
      return forward();
    },
    code: 130,
    said: 'Interrupted.\n',
  },
])(
  'an import cut short by $by counts its writes, and goes on when it is run again',
  async (row) => {
    await importText(row.before);
    const interruption = new AbortController();
    const begun = cutShort((passing) => row.cut(passing, () => interruption.abort()));
    const words = ['inventory', 'import', '-', '--on-conflict', row.onConflict, '--local'];
    const result = await ops(words, { input: file, signal: interruption.signal });
    expect(begun()).toBeGreaterThanOrEqual(cutAt);
    expect(begun()).toBeLessThan(cutAt + writesAtOnce);

    stage.react = ({ forward }) => forward();
    const written = (await exported()).match(/,2,sold/g)?.length ?? 0;
    expect(written).toBeGreaterThanOrEqual(cutAt - 1);
    expect(result).toEqual({
      code: row.code,
      output: `${total} read: ${written} ${row.done}, ${total - written} not yet written.\n`,
      errors: expect.stringContaining(
        `\npetstore: ${row.said}Run the same command again: it continues where this one stopped.\n`,
      ),
    });

    const output = `${total} read: ${total - written} ${row.done}, ${written} unchanged.\n`;
    expect(await importText(file, '--on-conflict', row.onConflict)).toMatchObject({
      code: 0,
      output,
    });
    expect(await exported()).toBe(file);
  },
);

test('the sample has entries at both ends of int64', async () => {
  await loadSample(stage.inventory());
  const csv = await exported();
  expect(csv).toMatch(/^-9223372036854775808,/m);
  expect(csv).toMatch(/^9223372036854775807,/m);
});

test('the sample is not loaded into a table with another entry', async () => {
  const stock = `${header}77777,1,sold\n`;
  await importText(stock);
  await loadSample(stage.inventory());
  expect(await exported()).toBe(stock);
});

test('a sample that is there in part is completed, and what has changed in it is kept', async () => {
  await loadSample(stage.inventory());
  const sample = await exported();
  const [row = ''] = /^\d+,.*\n/m.exec(sample) ?? [];
  const [petId] = row.split(',');
  await stage.reset();
  await importText(`${header}${petId},12345,pending\n`);
  await loadSample(stage.inventory());
  expect(await exported()).toBe(sample.replace(row, `${petId},12345,pending\n`));
});
