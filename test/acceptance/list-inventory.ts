import { describe, expect, test } from '@jest/globals';
import type { Message } from '../support/http/raw-request.ts';
import { type InventoryItem, items, largest, mayChange, send, smallest } from './service.ts';

const petIdsOf = (list: InventoryItem[]) => list.map(({ petId }) => petId);

describe('GET /inventory', () => {
  test('lists each petId once, as an int64', () => {
    const petIds = petIdsOf(items);
    expect(petIds.filter((petId) => BigInt.asIntN(64, petId) !== petId)).toStrictEqual([]);
    expect(new Set(petIds).size).toBe(petIds.length);
  });

  // Prod's list may be large.
  (mayChange ? test : test.skip).each([
    { path: '/inventory', headers: { 'Accept-Encoding': 'gzip' }, encoding: 'gzip' },
    { path: '/inventory/', headers: {} },
    { path: '/inventory?limit=1&petId=abc', headers: {} },
  ])(
    'lists the same entries at $path with $headers',
    async ({ encoding, ...request }: Message & { encoding?: string | undefined }) => {
      const { status, headers, body } = await send(request);
      expect(status).toBe(200);
      expect(headers['content-encoding']).toBe(encoding);
      const petIds = new Set(petIdsOf(body as InventoryItem[]));
      expect([smallest, largest].filter(({ petId }) => !petIds.has(petId))).toStrictEqual([]);
    },
  );
});
