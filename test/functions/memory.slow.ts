import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import type { authorizer, operations } from '../../infra/service/operations.ts';
import { respond, type Script, scanEntries, startDynamodb } from '../support/dynamodb/dynamodb.ts';
import { eventOf, patchEvent } from '../support/functions/functions.ts';
import { outputOf } from '../support/process/tools.ts';

/** The file of a function, without its folder and extension. */
type EntryPoint = (typeof operations)[number]['entryPoint'] | (typeof authorizer)['entryPoint'];

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

  // The compiler demands a row for each entry point.
  const served: Record<EntryPoint, { events: object[]; scripts: Script[] }> = {
    'update-inventory': { events: updates, scripts: [updated, notFound] },
    authorizer: {
      events: tokens,
      scripts: [respond(200, '{"Item":{"keyId":{"S":"key-1"}}}'), respond(200, '{}')],
    },
    'list-inventory': { events: [eventOf()], scripts: [scanEntries(10)] },
  };
  const rows = Object.entries(served).map(([name, requests]) => ({ name, ...requests }));

  test.each(rows)(
    'keeps nothing of the requests that it has served ($name)',
    async ({ name, events, scripts }) => {
      dynamodb.script((call) => scripts[dynamodb.received.length % scripts.length]?.(call));
      // In bytes: less than anything that could be kept per request, and more than the heap varies.
      const keptOfRequest = 200;
      expect((await memoryOf(name, 3_000, events)).growth).toBeLessThan(3_000 * keptOfRequest);
    },
  );

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
