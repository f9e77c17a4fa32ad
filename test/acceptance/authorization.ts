import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { json, unauthorized } from '../support/http/http-client.ts';
import { openapi } from '../support/http/openapi.ts';
import type { Message } from '../support/http/raw-request.ts';
import { absent, apiKey, mayChange, rejecting, sendBare, stageName } from './service.ts';

const list = (headers: Message['headers']) => sendBare({ path: '/inventory', headers });

const body = '{"quantity":7}';

const update = (petId: bigint, headers: Message['headers']) =>
  sendBare({
    method: 'PATCH',
    path: `/inventory/${petId}`,
    body,
    headers: { ...json, ...headers },
  });

/** A request to each operation of openapi.yaml. */
const requests = Object.entries<object>(openapi.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { requestBody }]) => ({
    method: method.toUpperCase(),
    path: path.replace('{petId}', String(rejecting)),
    ...(requestBody && { body }),
  })),
);

const withTypo = apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

describe('all operations', () => {
  test.each([
    { what: 'no Authorization header', headers: {} },
    { what: 'no key', headers: { Authorization: 'Bearer' } },
    { what: 'another scheme', headers: { Authorization: 'Basic x' } },
    { what: 'nonsense for a key', headers: { Authorization: 'Bearer nonsense' } },
    { what: 'a key with a typo', headers: { Authorization: `Bearer ${withTypo}` } },
    {
      what: 'a key of another stage',
      headers: { Authorization: `Bearer ${createApiKey(`${stageName}-other`)}` },
    },
    {
      what: 'a key that nobody has issued',
      headers: { Authorization: `Bearer ${createApiKey(stageName)}` },
    },
  ])('reject a request with $what', async ({ headers }: { headers: Message['headers'] }) => {
    for (const request of requests) {
      const typed = { ...(request.body && json), ...headers };
      expect(await sendBare({ ...request, headers: typed })).toMatchObject(unauthorized);
    }
  });

  test.each([
    { name: 'Authorization', scheme: 'Bearer ' },
    { name: 'authorization', scheme: 'bearer ' },
    { name: 'AUTHORIZATION', scheme: 'BEARER   ' },
  ])(
    'accept a valid key in the header $name after "$scheme"',
    async ({ name, scheme }: { name: string; scheme: string }) => {
      const headers = { [name]: scheme + apiKey };
      const { status } = await update(absent, headers);
      expect(status).toBe(404);
      // Prod's list may be large.
      if (mayChange) {
        const entries = expect.arrayContaining([expect.anything()]);
        expect(await list(headers)).toMatchObject({ status: 200, body: entries });
      }
    },
  );
});
