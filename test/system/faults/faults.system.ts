// A fault for each way in which a client can learn of one, from a client to the engine.
// test/functions/faults.test.ts tries all of them in process, outage.slow.ts those that take time.
import { expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import type { Passing } from '../../support/dynamodb/dynamodb-proxy.ts';
import type { KindName } from '../../support/dynamodb/kinds.ts';
import { errors, type Rejection } from '../../support/http/rejections.ts';
import { until } from '../../support/process/until.ts';
import { errorSeen, faultyRun, type Seen, updateOf, updateSeen } from './faulty-run.ts';

const run = await faultyRun();

interface Update {
  fault: KindName;
  ifMatch?: string;
  outcome: string;
  response: (petId: number) => Seen;
  /** The quantity after it, which was 1. */
  stored: string;
}

const updates: Update[] = [
  { fault: 'a slow response', outcome: 'applied', response: updateSeen, stored: '2' },
  {
    fault: 'a reset after the engine has run the call',
    ifMatch: '"1-pending"',
    outcome: 'applied once',
    response: updateSeen,
    stored: '2',
  },
  {
    fault: 'AccessDeniedException',
    outcome: 'not applied',
    response: () => errorSeen(errors.internal),
    stored: '1',
  },
];

test.each(updates)('an update is $outcome at $fault, and applied after it', async (row) => {
  const petId = await run.newPet();
  const headers: Record<string, string> = row.ifMatch ? { 'If-Match': row.ifMatch } : {};
  const fault = { what: row.fault, on: updateOf(petId), times: 1 };
  const seen = await run.during(fault, () => run.update(petId, headers));
  const outcome = { seen, stored: await run.quantityOf(petId) };
  expect(outcome).toStrictEqual({ seen: row.response(petId), stored: row.stored });
  expect(await run.update(petId)).toStrictEqual(updateSeen(petId));
});

interface List {
  fault: KindName;
  page: 'first' | 'later';
  response: Seen;
}

const lists: List[] = [
  { fault: 'AccessDeniedException', page: 'first', response: errorSeen(errors.internal) },
  { fault: 'half a response and a reset', page: 'later', response: 'cut off' },
];

test.each(lists)('a list whose $page page meets $fault is no shorter list', async (row) => {
  // More than one page for every segment.
  await Promise.all(Array.from({ length: 24 }, () => run.newPet()));
  const on = ({ operation, body }: Passing) =>
    operation === 'Scan' && (row.page === 'first' || body.ExclusiveStartKey !== undefined);
  expect(await run.during({ what: row.fault, on }, run.list)).toStrictEqual(row.response);

  const { text } = await run.send({ path: '/inventory' });
  const { Items = [] } = await run.tables.client.scan({ TableName: run.tables.inventory });
  const petIds = text.match(/(?<="petId":)-?\d+/g);
  expect(petIds?.sort()).toStrictEqual(Items.map(({ petId }) => petId?.N).sort());
});

test('nobody is let in by a key that cannot be checked', async () => {
  const apiKey = createApiKey('staging');
  const keyHash = { S: hashApiKey(apiKey) };
  const Item = { keyHash, keyId: { S: 'key-of-test' }, access: { S: 'write' } };
  await run.tables.client.putItem({ TableName: run.tables.apiKeys, Item });
  const ask = () => run.update(404_404, { Authorization: `Bearer ${apiKey}` });
  const notChecked: Rejection = [
    500,
    'internal_error',
    'The API key could not be checked. Try again later.',
  ];
  const on = ({ operation, body }: Passing) =>
    operation === 'GetItem' && body.Key.keyHash.S === keyHash.S;
  const fault = { what: 'InternalServerError' as const, on };
  expect(await run.during(fault, ask)).toStrictEqual(errorSeen(notChecked));
  expect(await ask()).toStrictEqual(errorSeen(errors.notFound));
});

test('a fault is logged once, with a stack trace of the sources, and no instance exits', async () => {
  const petId = await run.newPet();
  const fault = { what: 'a reset before the engine has run the call' as const };
  await run.during({ ...fault, on: updateOf(petId) }, () =>
    run.update(petId, { 'If-Match': '"1-pending"' }),
  );
  const logged = () =>
    (run.log().match(/^\{.*$/gm) ?? [])
      .map((line) => JSON.parse(line))
      .filter((line) => line.petId === String(petId) && line.level === 'ERROR');
  await until('the line of the request', () => logged().length > 0);
  expect(logged()).toMatchObject([
    {
      operation: 'updateInventory',
      status: 500,
      code: 'outcome_unknown',
      errorType: 'ApiError',
      stack: expect.stringMatching(/functions\/\w+\/[\w-]+\.ts:\d+:\d+/),
      cause: { errorType: 'TransientError' },
    },
  ]);
  expect(run.log()).not.toMatch(/^RequestId: .* Error: /m);
});
