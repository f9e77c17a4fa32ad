import { expect, jest, test } from '@jest/globals';
import { clientSettings } from '../../../ops/stage/client-settings.ts';
import type { Passing, Reaction } from '../../support/dynamodb/dynamodb-proxy.ts';
import { type OpsOptions, ops, spawnOps } from '../../support/ops/ops.ts';
import {
  csvOf,
  exported,
  fileWith,
  header,
  importText,
  tablesOfStage,
} from '../../support/ops/ops-stage.ts';
import { ended } from '../../support/process/tools.ts';

const stage = tablesOfStage();

const written = ({ body: { Item, Key } }: Passing): string | undefined => (Item ?? Key)?.petId.N;

test.each([
  ['fail', '', '2,99,available\n'],
  ['skip', '', '2,99,available\n'],
  ['replace', '2,2,available\n', '2,99,available\n'],
  ['replace', '2,99,pending\n', '2,99,available\n'],
  ['replace', '2,2,available\n', ''],
])(
  '--on-conflict %s keeps an entry that changes from %j to %j before a write',
  async (onConflict, before, after) => {
    await importText(header + before);
    stage.react = async (passing) => {
      if (written(passing) === '2') {
        const entry = { petId: { N: '2' }, quantity: { N: '99' }, status: { S: 'available' } };
        await (after ? stage.put(entry) : stage.remove('2'));
      }
      return passing.forward();
    };
    const what = after ? 'changed to {"petId":2,"quantity":99,"status":"available"}' : 'removed';
    const left = {
      code: 4,
      output: '3 read: 2 created, 1 changed by someone else and left as they are.\n',
      problems: [
        `Line 3: petId 2 has just been ${what} by someone else. It was left as it is.`,
        'petstore: Some entries were changed by someone else during the import, and were left as they are.',
      ],
    };
    const skipped = { code: 0, output: '3 read: 2 created, 1 skipped.\n', problems: [] };
    const result = await importText(
      `${header}1,1,sold\n2,2,sold\n3,3,sold\n`,
      '--on-conflict',
      onConflict,
    );
    expect(result).toEqual(onConflict === 'skip' ? skipped : left);
    expect(await exported()).toBe(`${header}1,1,sold\n${after}3,3,sold\n`);
  },
);

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

const refusal = (__type: string): Reaction => ({ status: 400, body: { __type, message: 'no' } });
const throttled = refusal(
  'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
);
const expired = refusal('com.amazon.coral.service#ExpiredTokenException');

const halfResponse = async ({ response, forward }: Passing): Promise<Reaction> => {
  const { status, headers, bytes } = await forward();
  response.writeHead(status, headers).write(bytes.subarray(1));
  return 'written';
};

test.each<[string, number, (passing: Passing) => Promise<Reaction>]>([
  [
    'counts an entry once if the response to its write is lost',
    1,
    async ({ forward }) => void (await forward()),
  ],
  ['retries when a response does not end', 1, halfResponse],
  ['waits and retries more often than the SDK does when it is throttled', 5, async () => throttled],
])('%s', async (_what, times, react) => {
  const attempts = new Map<string, number>();
  stage.react = async (passing) => {
    const petId = written(passing) ?? '';
    const attempt = (attempts.get(petId) ?? 0) + 1;
    attempts.set(petId, attempt);
    return petId.endsWith('7') && attempt <= times ? react(passing) : passing.forward();
  };
  expect(clientSettings.requestHandler.socketTimeout).toBeLessThanOrEqual(10_000);
  jest.replaceProperty(clientSettings.requestHandler, 'socketTimeout', 1_000);
  expect(await importText(csvOf(20))).toEqual({
    code: 0,
    output: '20 read: 20 created.\n',
    problems: [],
  });
  jest.restoreAllMocks();
  expect(attempts.get('9007199254740997')).toBe(times + 1);
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

const text = csvOf(200, 2);
const again = 'Run the same command again: it continues where this one stopped.\n';

/** Forwards 99 writes. The last 63 of them are still in flight when the 100th write calls `cut`. */
const cutShort = (cut: (passing: Passing) => Promise<Reaction>) => {
  const held = Promise.withResolvers<void>();
  let begun = 0;
  stage.react = async (passing) => {
    begun += written(passing) === undefined ? 0 : 1;
    if (begun >= 100) {
      held.resolve();
      return cut(passing);
    }
    await (begun > 36 && held.promise);
    return passing.forward();
  };
  return () => begun;
};
const interrupt = ({ forward }: Passing, interruption: AbortController) => {
  interruption.abort();
  return forward();
};
const fail = async () => expired;
const signIn = 'The AWS credentials have expired.\nSign in again. ';

test.each([
  ['an error', 'fail', 'created', fail, 6, signIn],
  ['an error', 'replace', 'replaced', fail, 6, signIn],
  ['Ctrl-C', 'skip', 'created', interrupt, 130, 'Interrupted.\n'],
])(
  'an import cut short by %s (%s) counts the writes in flight, begins no others and can be rerun',
  async (...row) => {
    const [, onConflict, done, cut, code, reason] = row;
    if (onConflict === 'replace') {
      await importText(csvOf(200, 1));
    }
    const interruption = new AbortController();
    const begun = cutShort((passing) => cut(passing, interruption));
    const options = ['inventory', 'import', fileWith(text), '--on-conflict', onConflict, '--local'];
    const first = await ops(options, { signal: interruption.signal });
    stage.react = ({ forward }) => forward();
    const count = (await exported()).match(/,2,sold/g)?.length ?? 0;
    expect(count).toBeGreaterThanOrEqual(99);
    expect(first.output).toBe(`200 read: ${count} ${done}, ${200 - count} not yet written.\n`);
    expect(first).toMatchObject({
      code,
      errors: expect.stringMatching(`\npetstore: ${reason}${again}$`),
    });
    expect(begun()).toBeLessThanOrEqual(99 + 64);

    const rest = `200 read: ${200 - count} ${done}, ${count} unchanged.\n`;
    expect(await ops(options)).toMatchObject({ code: 0, output: rest });
    expect(await exported()).toBe(text);
  },
);

test.each<[string, OpsOptions]>([
  ['reads endless input', { input: null, signal: AbortSignal.abort() }],
  ['looks up entries', { input: text }],
])('an import cut short by Ctrl-C while it %s writes nothing', async (_what, settings) => {
  const interruption = new AbortController();
  stage.react = (passing) => interrupt(passing, interruption);
  const errors = expect.stringMatching(/\npetstore: Interrupted\. Nothing was written\.\n$/);
  const result = await ops(['inventory', 'import', '-', '--local'], {
    signal: interruption.signal,
    ...settings,
  });
  expect(result).toEqual({ code: 130, output: '', errors });
  expect(await stage.items()).toEqual([]);
});

test.each(['fail', 'skip', 'replace'])(
  'an import killed and rerun (%s) imports the whole file',
  async (onConflict) => {
    await importText(onConflict === 'replace' ? csvOf(200, 1) : header);
    const child = spawnOps(['inventory', 'import', '-', '--on-conflict', onConflict, '--local'], {
      input: text,
    });
    cutShort(async () => void child.kill('SIGKILL'));
    expect((await ended(child)).code).toBe(null);
    stage.react = ({ forward }) => forward();
    // Writes that the child sent before it was killed may still be applied during this import.
    const { code, output } = await importText(text, '--on-conflict', onConflict, '--json');
    const { created, replaced, unchanged } = JSON.parse(output);
    expect({ code, sum: created + replaced + unchanged }).toEqual({ code: 0, sum: 200 });
    expect(created + replaced).toBeGreaterThanOrEqual(100);
    expect(unchanged).toBeGreaterThan(0);
    expect(await exported()).toBe(text);
  },
);
