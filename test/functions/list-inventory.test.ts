import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { contract } from '../support/http-client.ts';
import { type LocalRun, localRun } from '../support/local-run.ts';

describe('GET /inventory', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  /** Puts items that hold more than an import would let in. */
  const put = async (items: Record<string, unknown>[]) => {
    for (const Item of items) {
      await run.tables.client.send(new PutCommand({ TableName: run.tables.inventory, Item }));
    }
  };
  const list = async () => {
    const answer = await run.send({ path: '/inventory' });
    const items = [...(answer.body as { petId: bigint }[])].sort((a, b) => (a.petId < b.petId ? -1 : 1));
    return { ...contract(answer), body: items };
  };

  test('lists every entry with its three properties, all digits exact', async () => {
    expect(await list()).toEqual({
      status: 200,
      contentType: 'application/json',
      body: [
        { petId: -9223372036854775808n, quantity: 1n, status: 'pending' },
        { petId: 1n, quantity: 12n, status: 'available' },
        { petId: 2n, quantity: 3n, status: 'pending' },
        { petId: 3n, quantity: 0n, status: 'sold' },
        { petId: 42n, quantity: 9007199254740991n, status: 'available' },
        { petId: 9007199254740993n, quantity: 5n, status: 'available' },
        { petId: 9223372036854775807n, quantity: 1n, status: 'available' },
      ],
    });
  });

  test('leaves out what the table holds besides', async () => {
    const item = { petId: 77n, quantity: 1, status: 'sold', note: 'of the operator' } as const;
    await put([item]);

    const { body } = await list();
    expect(body.find(({ petId }) => petId === 77n)).toEqual({ petId: 77n, quantity: 1n, status: 'sold' });
  });

  test('follows every page of the scan', async () => {
    // DynamoDB ends a page at 1 MB of items, whatever the client will see of them.
    const note = 'x'.repeat(300_000);
    const items = [101n, 102n, 103n, 104n, 105n, 106n, 107n, 108n].map(
      (petId) => ({ petId, quantity: 1, status: 'sold', note }) as const,
    );
    await put(items);

    const { body } = await list();
    expect(body.map(({ petId }) => petId).filter((petId) => petId > 100n && petId < 109n)).toEqual(
      items.map(({ petId }) => petId),
    );
  });

  test.each([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate, gzip;q=1.0, *;q=0.5', 'gzip'],
    ['gzip; q=0.001', 'gzip'],
    ['gzip;level=1;q=1', 'gzip'],
    ['*', 'gzip'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    [['br', 'gzip'], 'gzip'],
    [undefined, undefined],
    ['', undefined],
    ['br, deflate', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0, *', undefined],
    ['*;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=much', undefined],
  ])('with Accept-Encoding %j has the encoding %s', async (acceptEncoding, encoding) => {
    const plain = await list();
    const { headers, body } = await run.send({
      path: '/inventory',
      headers: acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding },
    });

    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['content-type']).toBe('application/json');
    expect((body as unknown[]).length).toBe(plain.body.length);
  });
});
