import { afterEach, expect, jest, test } from '@jest/globals';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, keys, json, create, show } = localKeys();

afterEach(() => void jest.useRealTimers());

const [longAgo, longAgoText] = [1_700_000_000, '2023-11-14T22:13:20Z'];
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
  await change(id, { revokedAt: longAgo });
  expect(await keys(['revoke', id])).toEqual({
    code: 0,
    output: `Key ${id} ("shop") was revoked at ${longAgoText} and has stopped working.\n`,
    errors: '',
  });
  expect(await all()).toMatchObject([{ revokedAt: longAgo }]);
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
