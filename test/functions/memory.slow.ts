import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { respond, scanEntries, startDynamodb } from '../support/dynamodb/dynamodb.ts';
import { eventOf, patchEvent } from '../support/functions/functions.ts';
import { outputOf } from '../support/process/tools.ts';

const dynamodb = await startDynamodb();

const memoryOf = async (name: string, requests: number, events: object[]) => {
  const script = join(import.meta.dirname, '../programs/memory-of.ts');
  const args = ['--expose-gc', script, name, String(requests), JSON.stringify(events)];
  return JSON.parse(await outputOf(process.execPath, ...args)) as { growth: number; peak: number };
};

describe('the memory of an instance', () => {
  const apiKey = `Bearer ${createApiKey('staging')}`;
  const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:api/staging/GET/v1/inventory';
  const tokens = [apiKey, apiKey, 'x'].map((authorizationToken) => ({
    authorizationToken,
    methodArn,
  }));
  const updates = ['1', '1', 'x'].map((petId) => patchEvent(petId, '{"quantity":7}'));
  const updated = respond(200, '{"Attributes":{"status":{"S":"sold"}}}');
  const notFound = respond(400, '{"__type":"a#ConditionalCheckFailedException"}');

  test.each([
    ['update-inventory', updates, [updated, notFound]],
    ['authorizer', tokens, [respond(200, '{"Item":{"keyId":{"S":"key-1"}}}'), respond(200, '{}')]],
    ['list-inventory', [eventOf()], [scanEntries(10)]],
  ])('keeps nothing of the requests that it has served (%s)', async (name, events, scripts) => {
    dynamodb.script((call) => scripts[dynamodb.received.length % scripts.length]?.(call));
    // In bytes: less than anything that could be kept per request, and more than the heap varies.
    const keptOfRequest = 200;
    expect((await memoryOf(name, 3_000, events)).growth).toBeLessThan(3_000 * keptOfRequest);
  });

  test.each(['identity', 'gzip'])(
    'is about the same for a million entries as for 100,000 (%s)',
    async (encoding) => {
      const events = [eventOf({ headers: { 'Accept-Encoding': [encoding] } })];
      // Ten such lists make the garbage collector work as much as the million does. npm run
      // bench:list measures the peak.
      dynamodb.script(scanEntries(100_000));
      const short = await memoryOf('list-inventory', 10, events);
      dynamodb.script(scanEntries(1_000_000));
      const long = await memoryOf('list-inventory', 1, events);
      expect(long.peak / short.peak).toBeLessThan(1.3);
    },
  );
});
