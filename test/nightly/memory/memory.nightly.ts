import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import type { authorizer, operations } from '../../../infra/service/operations.ts';
import {
  respond,
  type Script,
  scanEntries,
  startDynamodb,
} from '../../support/dynamodb/dynamodb.ts';
import { eventOf, patchEvent } from '../../support/functions/functions.ts';
import { outputOf } from '../../support/process/tools.ts';

/** The file of a function, without its folder and extension. */
type EntryPoint = (typeof operations)[number]['entryPoint'] | (typeof authorizer)['entryPoint'];

const dynamodb = await startDynamodb();

/** Runs a program of this folder that prints a number of bytes. */
const bytesOf = async (program: string, ...args: unknown[]): Promise<number> => {
  const script = join(import.meta.dirname, program);
  return Number(await outputOf(process.execPath, '--expose-gc', script, ...args.map(String)));
};

const apiKey = `Bearer ${createApiKey('staging')}`;
const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:api/staging/GET/v1/inventory';

/** Requests to each function, and what DynamoDB responds. The compiler demands each entry point. */
const served: Record<EntryPoint, { events: object[]; scripts: Script[] }> = {
  'update-inventory': {
    events: ['1', '1', 'x'].map((petId) => patchEvent(petId, '{"quantity":7}')),
    scripts: [
      respond(200, '{"Attributes":{"status":{"S":"sold"}}}'),
      respond(400, '{"__type":"a#ConditionalCheckFailedException"}'),
    ],
  },
  authorizer: {
    events: [apiKey, apiKey, 'x'].map((authorizationToken) => ({ authorizationToken, methodArn })),
    scripts: [
      respond(200, '{"Item":{"keyId":{"S":"key-1"},"access":{"S":"write"}}}'),
      respond(200, '{}'),
    ],
  },
  'list-inventory': { events: [eventOf()], scripts: [scanEntries(10)] },
};

test.each(Object.entries(served))(
  'an instance of %s keeps nothing of the requests that it has served',
  async (name, { events, scripts }) => {
    dynamodb.script((call) => scripts[dynamodb.received.length % scripts.length]?.(call));
    // In bytes: less than anything that could be kept per request, and more than the heap varies.
    const keptOfRequest = 200;
    const growth = await bytesOf('memory-of.ts', name, 3_000, JSON.stringify(events));
    expect(growth).toBeLessThan(3_000 * keptOfRequest);
  },
);

test.each(['identity', 'gzip'])(
  'an instance does not grow while it sends a list (%s)',
  async (encoding) => {
    const entries = 1_000_000;
    dynamodb.script(scanEntries(entries));
    // The text of an entry has some 55 bytes. Had those of the second half been kept, it would have
    // grown by all of them; by the pages that are read ahead, it varies by 6 MB.
    const halfOfEntry = 30;
    expect(await bytesOf('growth-of-list.ts', encoding)).toBeLessThan((entries / 2) * halfOfEntry);
  },
);
