import { afterEach, expect, jest, test } from '@jest/globals';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, keys, json, create, show } = localKeys();

afterEach(() => void jest.useRealTimers());

const longAgo = 1_700_000_000;

/** The commands that find a key by its ID, which comes last. */
const commands = ['revoke', 'update --name x', 'rotate --overlap 1h'];

test.each(commands)(
  '%s points to find if it is given a key, and does not repeat it',
  async (line) => {
    const { key } = await create();
    const errors =
      'petstore: This is an API key. Here, its ID is needed.\n' +
      'To find its ID: npx --no -- petstore keys find --local\n';
    expect(await keys([...line.split(' '), key])).toEqual({ code: 2, output: '', errors });
  },
);

test('the beginning of an ID finds no key, and is not repeated: it may be part of one', async () => {
  const { id } = await create();
  const before = await all();
  const errors =
    'petstore: No key has this ID.\nTo see the IDs: npx --no -- petstore keys list --local\n';
  expect(await keys(['revoke', id.slice(0, -1)])).toEqual({ code: 5, output: '', errors });
  expect(await all()).toEqual(before);
});

test('nothing is changed if two records have the ID', async () => {
  const [one, two] = [await create(), await create()];
  await change(two.id, { keyId: one.id });
  const before = await all();
  const errors = expect.stringContaining(`petstore: 2 keys have the ID ${one.id}.\n`);
  expect(await keys(['revoke', one.id])).toEqual({ code: 4, output: '', errors });
  expect(await all()).toEqual(before);
});

test.each(commands)('%s takes the ID of a read-only key, which stays one', async (line) => {
  const { id } = await create('--read-only');
  expect(await keys([...line.split(' '), id])).toMatchObject({ code: 0 });
  const accesses = (await json('list')).map(({ access }: { access: string }) => access);
  expect(new Set(accesses)).toEqual(new Set(['read']));
});

test.each([
  { line: 'update --name x', changes: { revokedAt: longAgo }, state: 'is revoked' },
  { line: 'update --name x', changes: { expiresAt: longAgo }, state: 'has expired' },
  { line: 'update --name x', changes: { access: 'admin' }, state: 'is denied anyway' },
  { line: 'rotate --overlap 1h', changes: { access: 'admin' }, state: 'is denied anyway' },
])('$line rejects a key that $state', async ({ line, changes, state }) => {
  const { id } = await create('--name', "Ann's shop");
  await change(id, changes);
  const before = await all();
  const hint = "Issue another: npx --no -- petstore keys create --name 'Ann'\\''s shop' --local";
  const errors = `petstore: Key ${id} ${state}.\n${hint}\n`;
  expect(await keys([...line.split(' '), id])).toEqual({ code: 4, output: '', errors });
  expect(await all()).toEqual(before);
});

test('every read of keys is consistent', async () => {
  const { id, key } = await create();
  const reads: object[] = [];
  stage.react = ({ operation, body, forward }) => {
    if (/^(Get|BatchGet|Scan|Query)/.test(operation)) {
      reads.push({ operation, isConsistent: body.ConsistentRead });
    }
    // The condition of every write fails, so that the key is read again.
    return operation === 'PutItem'
      ? Promise.resolve({ status: 400, body: { __type: 'x#ConditionalCheckFailedException' } })
      : forward();
  };
  await keys(['find'], { input: key });
  await keys(['update', id, '--name', 'x']);
  expect(reads).toEqual([
    { operation: 'GetItem', isConsistent: true },
    { operation: 'Scan', isConsistent: true },
    { operation: 'GetItem', isConsistent: true },
  ]);
});

const untilChecksEnd = 10_000;

test('revoke says until when the key may still work', async () => {
  const { id } = await create();
  const { code, output } = await keys(['revoke', id]);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^Key \w+ \("shop"\) was revoked at \S+Z and stops working within 60 seconds\.\n$/,
    ),
  });
});

test('revoke --json prints the revoked key', async () => {
  const { id } = await create();
  expect(await json('revoke', id)).toEqual({ ...(await show(id)), state: 'revoked' });
});

test('a second revocation changes nothing, and says since when the key is revoked', async () => {
  const { id } = await create();
  await change(id, { revokedAt: 0 });
  expect(await keys(['revoke', id])).toEqual({
    code: 0,
    output: `Key ${id} ("shop") was revoked at 1970-01-01T00:00:00Z and has stopped working.\n`,
    errors: '',
  });
  expect(await all()).toMatchObject([{ revokedAt: 0 }]);
});

test('revoke works on a key that is renamed at the same time', async () => {
  const { id } = await create();
  stage.react = async ({ operation, forward }) => {
    if (operation === 'PutItem') {
      await change(id, { name: 'Bo' });
    }
    return forward();
  };
  expect(await json('revoke', id)).toMatchObject({ name: 'Bo', state: 'revoked' });
  expect(await show(id)).toMatchObject({ name: 'Bo', state: 'revoked' });
});

test('revoke reports no revocation of a key that is removed at the same time', async () => {
  const { id } = await create();
  const [record] = await all();
  const { client, TableName } = stage.apiKeys();
  stage.react = async ({ operation, forward }) => {
    if (operation === 'PutItem') {
      await client.deleteItem({ TableName, Key: { keyHash: { S: record?.keyHash ?? '' } } });
    }
    return forward();
  };
  const errors = `petstore: Key ${id} was removed from the table just now.\n`;
  expect(await keys(['revoke', id])).toEqual({ code: 5, output: '', errors });
  expect(await all()).toEqual([]);
});

test('a key that was written by hand is revoked', async () => {
  const { client, TableName } = stage.apiKeys();
  await client.putItem({ TableName, Item: { keyHash: { S: 'x' }, keyId: { S: 'by-hand' } } });
  expect((await keys(['revoke', 'by-hand'])).output).toMatch(
    /^Key by-hand \("-"\) was revoked at \S+Z and stops working within 60 seconds\.\n$/,
  );
  expect(await all()).toEqual([{ keyHash: 'x', keyId: 'by-hand', revokedAt: expect.any(Number) }]);
});

const fakeTimeouts = () =>
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'],
  });

interface Flushes {
  /** The number of the request to empty the cache that is denied. */
  denied?: number;
  /** What happens while the command waits for checks under way. */
  meanwhile?: (interruption: AbortController) => unknown;
}

const pass = () => jest.advanceTimersByTime(untilChecksEnd);

/** Revokes a key with --now. Returns how often the command has asked to empty the cache, too. */
const revokeNow = async (options: string[], { denied, meanwhile = pass }: Flushes = {}) => {
  let flushes = 0;
  stage.onFlush = (response) => {
    flushes += 1;
    if (flushes !== denied) {
      return response.writeHead(202).end();
    }
    const message = 'User: x is not authorized to perform: apigateway:DELETE on resource: y';
    response.setHeader('x-amzn-ErrorType', 'AccessDeniedException').writeHead(403);
    return response.end(JSON.stringify({ message }));
  };
  fakeTimeouts();
  const interruption = new AbortController();
  const result = await keys(['revoke', '--now', ...options], {
    signal: interruption.signal,
    when: { printed: /once more in 10 s/, react: () => meanwhile(interruption) },
  });
  return { ...result, flushes };
};

const wait = 'The cache is emptied once more in 10 s, after checks under way.\n';
const notForGood = "petstore: The authorizer's cache was not emptied for good: ";
const denial = /may not do apigateway:DELETE: User: x is not authorized/;
const stopsSoon = / was revoked at \S+Z and stops working within 60 seconds\.\n$/;

test('revoke --now empties the cache twice before it says that the key has stopped', async () => {
  const { id } = await create();
  expect(await revokeNow([id])).toEqual({
    code: 0,
    output: expect.stringMatching(/ was revoked at \S+Z and has stopped working\.\n$/),
    errors: wait,
    flushes: 2,
  });
});

test('revoke --now that is interrupted before checks have ended says so', async () => {
  const { id } = await create();
  const meanwhile = (interruption: AbortController) => {
    jest.advanceTimersByTime(untilChecksEnd - 1);
    interruption.abort();
  };
  expect(await revokeNow([id], { meanwhile })).toEqual({
    code: 130,
    output: expect.stringMatching(stopsSoon),
    errors: `${wait}${notForGood}Interrupted.\n`,
    flushes: 1,
  });
});

test.each([1, 2])(
  'revoke --now says that the key is revoked although request %i to empty the cache is denied',
  async (denied) => {
    const { id } = await create();
    const { code, output, errors, flushes } = await revokeNow([id], { denied });
    expect({ code, output, flushes }).toEqual({
      code: 6,
      output: expect.stringMatching(stopsSoon),
      flushes: denied,
    });
    expect(errors).toContain(notForGood);
    expect(errors).toMatch(denial);
    expect(await show(id)).toMatchObject({ state: 'revoked' });
  },
);

test('revoke --now --json prints the revoked key although the cache is not emptied', async () => {
  const { id } = await create();
  const { output, errors } = await revokeNow([id, '--json'], { denied: 1 });
  expect(JSON.parse(output)).toEqual(await show(id));
  expect(JSON.parse(errors)).toMatchObject({ error: { code: 'unavailable' } });
});
