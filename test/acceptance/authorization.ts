import { expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { errorResponse, json } from '../support/http/http-client.ts';
import { openapi } from '../support/http/openapi.ts';
import type { Message } from '../support/http/raw-request.ts';
import { absent, apiKey, sendBare, stageName } from './service.ts';

const body = '{"quantity":7}';

/** A request to each operation of openapi.yaml. */
const requests = Object.entries<object>(openapi.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { requestBody }]) => ({
    method: method.toUpperCase(),
    path: path.replace('{petId}', String(absent)),
    ...(requestBody && { body }),
  })),
);

test.each([
  { what: 'no Authorization header', headers: {} },
  { what: 'another scheme', headers: { Authorization: 'Basic x' } },
  { what: 'nonsense for a key', headers: { Authorization: 'Bearer nonsense' } },
  {
    what: 'a key that nobody has issued',
    headers: { Authorization: `Bearer ${createApiKey(stageName)}` },
  },
])(
  'every operation rejects a request with $what',
  async ({ headers }: { headers: Message['headers'] }) => {
    for (const request of requests) {
      const response = await sendBare({ ...request, headers: { ...json, ...headers } });
      expect(response).toMatchObject(errorResponse(401, 'unauthorized'));
    }
  },
);

test('a key may follow its scheme in capitals, after any number of blanks', async () => {
  const headers = { ...json, AUTHORIZATION: `BEARER   ${apiKey}` };
  const update = { method: 'PATCH', path: `/inventory/${absent}`, headers, body };
  expect(await sendBare(update)).toMatchObject({ status: 404 });
});
