import { expect, test } from '@jest/globals';
import { changeKey } from '../../../ops/keys/issued-keys.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, keys, create } = localKeys();

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

test('a key is issued although the response to its write is lost', async () => {
  const statuses: number[] = [];
  stage.react = async ({ operation, forward }) => {
    const response = await forward();
    const isLost = operation === 'PutItem' && statuses.push(response.status) === 1;
    return isLost ? undefined : response;
  };
  expect(await keys(['create', '--name', 'shop'])).toMatchObject({ code: 0 });
  expect(statuses).toEqual([200, 400]);
  expect(await all()).toHaveLength(1);
});

test.each<{ changed: string; others: object }>([
  { changed: 'renamed', others: { name: 'Bo' } },
  { changed: 'revoked', others: { revokedAt: 1 } },
  { changed: 'given another end', others: { expiresAt: 1 } },
  { changed: 'given an access', others: { access: 'read' } },
])('a key that was $changed since it was read is not changed', async ({ others }) => {
  await create();
  const [seen = { keyHash: '' }] = await all();
  await changeKey(stage.apiKeys(), seen, others);
  const now = await all();
  expect(await changeKey(stage.apiKeys(), seen, { name: 'Cy' })).toBe(undefined);
  expect(await all()).toEqual(now);
});
