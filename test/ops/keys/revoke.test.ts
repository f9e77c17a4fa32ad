import { expect, jest, test } from '@jest/globals';

/** What a revocation with --now does, in order. */
const steps: string[] = [];

const timers = await import('node:timers/promises');
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  setTimeout: async (milliseconds: number) => steps.push(`waits ${milliseconds} ms`),
}));
const { keysStage, now, onLocal, shop } = await import('../../support/ops/keys.ts');

const stage = keysStage();

const id = '1111111111111111';
const { keyHash: _keyHash, ...stored } = shop;
const within = 'It stops working within 60 seconds.\n';
const stopped = 'It has stopped working.\n';
const isRevoked = `Key ${id} ("shop") was revoked at 2027-01-15T08:00:00Z.\n`;

test('revoke says when the key stops working', async () => {
  await stage.put(shop);
  expect(await stage.local(['revoke', id])).toStrictEqual({
    code: 0,
    output: isRevoked,
    errors: onLocal + within,
  });
  expect(await stage.records()).toStrictEqual([{ ...stored, revokedAt: now }]);
});

test.each([
  { seconds: 60, at: '2027-01-15T07:59:00Z', says: within },
  { seconds: 61, at: '2027-01-15T07:58:59Z', says: stopped },
])('revoke of a key that was revoked $seconds s ago changes nothing', async (row) => {
  await stage.put({ ...shop, revokedAt: now - row.seconds });
  expect(await stage.local(['revoke', id])).toStrictEqual({
    code: 0,
    output: `Key ${id} ("shop") was revoked at ${row.at}.\n`,
    errors: onLocal + row.says,
  });
  expect(await stage.records()).toStrictEqual([{ ...stored, revokedAt: now - row.seconds }]);
});

test('revoke revokes a key that somebody has written by hand, and does not end twice', async () => {
  const { name: _name, ...nameless } = shop;
  await stage.put(nameless);
  const writes = stage.loseFirst('UpdateItem');
  expect(await stage.local(['revoke', id])).toStrictEqual({
    code: 0,
    output: `Key ${id} ("undefined") was revoked at 2027-01-15T08:00:00Z.\n`,
    errors: onLocal + within,
  });
  expect(writes()).toBeGreaterThan(1);
});

const countFlushes = (denied?: number) => {
  steps.length = 0;
  stage.onFlush = (response) => {
    const count = steps.filter((step) => step.startsWith('flush')).length + 1;
    steps.push(`flush ${count}`);
    if (count !== denied) {
      return response.writeHead(202).end();
    }
    response.setHeader('x-amzn-ErrorType', 'AccessDeniedException').writeHead(403);
    return response.end('{"message":"User: x is not authorized to perform: apigateway:DELETE"}');
  };
};

const once = 'The cache is emptied once more in 10 s, after checks under way.\n';

test('revoke --now empties the cache, and again after checks under way', async () => {
  countFlushes();
  await stage.put(shop);
  expect(await stage.local(['revoke', '--now', id])).toStrictEqual({
    code: 0,
    output: isRevoked,
    errors: onLocal + once + stopped,
  });
  expect(steps).toStrictEqual(['flush 1', 'waits 10000 ms', 'flush 2']);
});

test.each([
  { denied: 1, before: '' },
  { denied: 2, before: once },
])(
  'revoke --now revokes although flush $denied is denied, and fails',
  async ({ denied, before }) => {
    countFlushes(denied);
    await stage.put(shop);
    expect(await stage.local(['revoke', '--now', id])).toStrictEqual({
      code: 1,
      output: isRevoked,
      errors:
        `${onLocal}${before}petstore: User: x is not authorized to perform: apigateway:DELETE\n` +
        'docs/reference.md#keys-and-stock has the policy of an operator.\n',
    });
    expect(await stage.records()).toStrictEqual([{ ...stored, revokedAt: now }]);
  },
);
