import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { inParallel } from '../../support/in-parallel.ts';
import { type FaultyRun, faultyRun } from '../faults/faulty-run.ts';
import { contradiction, type Operation } from './register.ts';

const entries = 30;

/** Tests so many updates, of which a number goes on at a time, and then all of those are waited for. */
export const testConcurrency = (updates: number, width: number) => {
  let run: FaultyRun;
  beforeAll(async () => {
    run = await faultyRun();
    // Lists of several pages, read in segments.
    run.proxy.pageSize = 5;
    // The authorizer's policy is kept from now on.
    await run.send({ path: '/inventory' });
  });

  /** Does something and says when. */
  const timed = async <Result>(work: () => Promise<Result>) => {
    const invoked = performance.now();
    const result = await work();
    return { result, invoked, responded: performance.now() };
  };

  const update = (petId: string, quantity: number) => () =>
    run.send({
      method: 'PATCH',
      path: `/inventory/${petId}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ quantity }),
    });

  const list = () => run.send({ path: '/inventory' });

  test.each([
    ['one entry', 1],
    ['many entries', entries],
  ])(
    'updates at once of %s, with lists between them, are all explained by an order of the writes',
    async (_what, updated) => {
      const histories = new Map<string, Operation[]>();
      for (let index = 0; index < entries; index++) {
        const [petId, quantity] = [String(1000 + index), String(index)];
        histories.set(petId, [{ kind: 'write', value: index, invoked: -2, responded: -1 }]);
        const Item = { petId: { N: petId }, quantity: { N: quantity }, status: { S: 'sold' } };
        await run.tables.client.send(new PutItemCommand({ TableName: run.tables.inventory, Item }));
      }
      const { Items = [] } = await run.tables.client.send(new ScanCommand({ TableName: run.tables.inventory }));
      const petIds = Items.map(({ petId }) => BigInt(petId?.N ?? '')).sort();
      const calls = () => run.proxy.calls.filter(({ operation }) => operation === 'UpdateItem').length;
      const callsBefore = calls();

      const write = async (index: number) => {
        const petId = String(1000 + (index % updated));
        const value = 1000 + index;
        const { result, ...times } = await timed(update(petId, value));
        expect({ status: result.status, body: result.body }).toEqual({
          status: 200,
          body: { petId: BigInt(petId), quantity: BigInt(value), status: 'sold' },
        });
        histories.get(petId)?.push({ kind: 'write', value, ...times });
      };
      const read = async () => {
        const { result, ...times } = await timed(list);
        const listed = result.body as { petId: bigint; quantity: bigint }[];
        expect(listed.map(({ petId }) => petId).sort()).toEqual(petIds);
        for (const { petId, quantity } of listed) {
          histories.get(String(petId))?.push({ kind: 'read', value: Number(quantity), ...times });
        }
      };
      let written = 0;
      const writing = async () => {
        while (written < updates) {
          const indexes = Array.from({ length: width }, (_, index) => written + index);
          await inParallel(indexes, width, write);
          written += width;
          // With no update under way, there is no excuse for one that is missing.
          await read();
        }
      };
      const reading = async () => {
        while (written < updates) {
          await read();
        }
      };
      await Promise.all([writing(), reading(), reading()]);

      // One that was tried again may have been applied twice, with others between.
      expect(calls() - callsBefore).toBe(updates);
      const contradictions = [...histories].map(([petId, history]) => [petId, contradiction(history)]);
      expect(contradictions.filter(([, reason]) => reason !== undefined)).toEqual([]);
      // The entry has been read while it was written, and what it was last is one of the writes.
      const seen = new Set(histories.get('1000')?.flatMap(({ kind, value }) => (kind === 'read' ? [value] : [])));
      expect(seen.size).toBeGreaterThan(3);
    },
  );
};
